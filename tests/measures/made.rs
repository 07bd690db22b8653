//! Made matches: rows of `matches` and `moments` written down by hand, and the way through the ledger.

use portes::game::Length;
use portes::measure::Settings;
use portes::measure::played::{Facts, Played};
use portes::measure::player::{Ledger, Marts};
use portes::tables::facts::MatchRow;
use portes::tables::marts::{PlayerCareerRow, PlayerMatchRow, PlayerSeasonRow};
use portes::tables::partials::MomentRow;
use portes::tables::row::Day;

pub(super) const SEASON: &str = "2026";

/// A finished match that the first player won.
pub(super) fn match_row(match_id: &str, players: [&str; 2], length: u32) -> MatchRow {
    MatchRow {
        season: SEASON.to_owned(),
        match_id: match_id.to_owned(),
        event: Some("Lantern Open".to_owned()),
        round: Some("1".to_owned()),
        place: None,
        date: Some(Day(20_000)),
        name_1: players[0].to_uppercase(),
        name_2: players[1].to_uppercase(),
        player_1: players[0].to_owned(),
        player_2: players[1].to_owned(),
        play: Length::from_points(length).token().to_owned(),
        length: (length > 0).then_some(i64::from(length)),
        score_1: i64::from(length),
        score_2: 0,
        winner: Some(1),
        finished: true,
        games: 3,
        rating_1: None,
        rating_2: None,
        start_mwc: (1..=64).contains(&length).then_some(500_000_000),
        crawford: true,
        jacoby: false,
        beavers: None,
        cube: true,
        variant: "backgammon".to_owned(),
        digest: String::new(),
        primary_digest: None,
    }
}

/// No decision yet.
pub(super) fn moment(match_id: &str, game: i64, seat: i64, kind: &str) -> MomentRow {
    MomentRow {
        season: SEASON.to_owned(),
        match_id: match_id.to_owned(),
        game,
        seat,
        kind: kind.to_owned(),
        n: 0,
        rated: 0,
        counted: 0,
        forced: 0,
        outside_window: 0,
        unrated: 0,
        mpt: 0,
        rated_mpt: 0,
        e_raw: 0,
        priced: 0,
        loss: 0,
        both: 0,
        both_loss: 0,
        difficulty: 0,
        errors: 0,
        blunders: 0,
        avoidable: 0,
        uncounted_errors: 0,
        uncounted_mpt: 0,
        rolls: 0,
        unrated_rolls: 0,
        luck_rolls: 0,
        luck: 0,
        luck_mwc_rolls: 0,
        luck_mwc: 0,
        hasty: 0,
        considered: 0,
        unknown_pace: 0,
        timed: 0,
        xg_counted: 0,
        xg_e_raw: 0,
        xg_loss: 0,
    }
}

/// Counted checker plays: how many, their mpt, and their loss (a fraction of a match) where they have one.
pub(super) fn plays(
    match_id: &str,
    (game, seat): (i64, i64),
    (counted, mpt): (i64, i64),
    loss: Option<f64>,
) -> MomentRow {
    let priced = if loss.is_some() { counted } else { 0 };
    MomentRow {
        n: counted,
        rated: counted,
        counted,
        mpt,
        rated_mpt: mpt,
        rolls: counted,
        priced,
        loss: (loss.unwrap_or(0.0) * 1e9).round() as i64,
        ..moment(match_id, game, seat, "checker")
    }
}

pub(super) fn played(row: &MatchRow, moments: &[MomentRow]) -> Played {
    let mut played = Played::new(Facts::of(row).unwrap());
    for moment in moments.iter().filter(|moment| moment.match_id == row.match_id) {
        played.add(moment).unwrap();
    }
    played
}

pub(super) fn marts(matches: &[MatchRow], moments: &[MomentRow]) -> Marts {
    let mut ledger = Ledger::new(Settings::default());
    for row in matches {
        ledger.enter(&played(row, moments));
    }
    ledger.close()
}

pub(super) fn of_seat(marts: &Marts, seat: Option<i64>) -> &PlayerMatchRow {
    marts.player_match.iter().find(|row| row.seat == seat).unwrap()
}

pub(super) fn of_season<'m>(marts: &'m Marts, player: Option<&str>) -> &'m PlayerSeasonRow {
    marts.player_season.iter().find(|row| row.player.as_deref() == player).unwrap()
}

pub(super) fn of_career<'m>(marts: &'m Marts, player: Option<&str>) -> &'m PlayerCareerRow {
    marts.player_career.iter().find(|row| row.player.as_deref() == player).unwrap()
}

/// Present, and equal within the tolerance.
#[track_caller]
pub(super) fn near(got: Option<f64>, expected: f64, tolerance: f64) {
    let got = got.expect("a figure, got none");
    assert!((got - expected).abs() <= tolerance, "got {got}, expected {expected}");
}
