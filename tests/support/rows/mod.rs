//! Made rows: small seasons of invented players, played by a rule of thumb on the real board with the real plays, so that
//! every board, play, pip count and arrow of a page can stand on a table. Equities are invented; sums are true sums.

mod figures;
mod play;
mod study;

pub(crate) use figures::season_row;
pub(crate) use play::play;
pub(crate) use study::{Studied, before_after, bias, reviews};

use portes::report::{Colophon, Thresholds};
use portes::tables::facts::{AnalysisRow, CandidateRow, CommentRow, DecisionRow, GameRow, MatchRow, SourceRow};
use portes::tables::marts::{PlayerMatchRow, PlayerSeasonRow, SeatRow};
use portes::tables::row::{Day, Kind, Row, Value};

/// A row whose nullable cells are null and whose others are empty.
pub(crate) fn blank<R: Row>() -> R {
    R::read(&mut |at| {
        let column = R::COLUMNS[at];
        match column.kind {
            _ if column.nullable => Value::Null,
            Kind::Text => Value::Text(""),
            Kind::Int => Value::Int(0),
            Kind::Float => Value::Float(0.0),
            Kind::Day => Value::Day(0),
            Kind::Flag => Value::Flag(false),
        }
    })
    .expect("a blank row fits its own columns")
}

/// A small generator of the multiplicative kind: the same rows on every machine.
struct Dealer(u64);

impl Dealer {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn die(&mut self) -> u8 {
        u8::try_from(self.below(6)).unwrap() + 1
    }
}

/// What a match is asked to be.
pub(crate) struct Wish<'a> {
    pub(crate) players: [&'a str; 2],
    /// 0 = money.
    pub(crate) length: i64,
    pub(crate) seed: u64,
    /// One play in so many is not the best.
    pub(crate) care: [u64; 2],
    pub(crate) date: Option<i32>,
    pub(crate) event: &'a str,
    pub(crate) round: &'a str,
    pub(crate) finished: bool,
    pub(crate) xg: bool,
    pub(crate) analysed: bool,
}

impl<'a> Wish<'a> {
    pub(crate) fn new(players: [&'a str; 2], seed: u64) -> Self {
        Self {
            players,
            length: 7,
            seed,
            care: [4, 3],
            date: Some(20_500),
            event: "Lantern Open",
            round: "Round 1",
            finished: true,
            xg: false,
            analysed: true,
        }
    }
}

/// A match with everything a page asks for.
pub(crate) struct Played {
    pub(crate) row: MatchRow,
    pub(crate) games: Vec<GameRow>,
    pub(crate) decisions: Vec<DecisionRow>,
    pub(crate) candidates: Vec<CandidateRow>,
    pub(crate) analyses: Vec<AnalysisRow>,
    pub(crate) comments: Vec<CommentRow>,
    pub(crate) figures: Vec<PlayerMatchRow>,
}

const SEASON: &str = "2026";
/// Files of every status.
pub(crate) fn sources() -> Vec<SourceRow> {
    let file = |path: &str, status: &str, reason: Option<&str>, detail: Option<&str>, offset: Option<i64>| SourceRow {
        season: SEASON.into(),
        path: path.into(),
        size: 48_211,
        format: Some("xg".into()),
        status: status.into(),
        reason: reason.map(str::to_owned),
        detail: detail.map(str::to_owned),
        offset,
        ..blank()
    };
    vec![
        file("2026/lantern/a.xg", "ok", None, None, None),
        file("2026/lantern/b.xg", "ok", None, None, None),
        file(
            "2026/lantern/copy of a.xg",
            "duplicate",
            Some("same_content"),
            Some("same content as 2026/lantern/a.xg"),
            None,
        ),
        file(
            "2026/lantern/cut.xg",
            "quarantined",
            Some("truncated"),
            Some("the archive ends inside a record"),
            Some(20_474),
        ),
        file("2026/lantern/photo.xg", "quarantined", Some("magic"), Some("not an XG file: JPEG"), Some(0)),
        file("2026/lantern/half.sgf", "partial", Some("truncated"), Some("3 complete games kept"), Some(9_118)),
        file("2026/notes.pdf", "ignored", Some("extension"), None, None),
    ]
}

/// A footer.
pub(crate) fn colophon() -> Colophon {
    Colophon {
        product_version: "0.1.0".into(),
        met: "Kazaross-XG2".into(),
        sources: 57,
        digest12: "e921e9a5089b".into(),
        data_to: Some(Day(20_778)),
        engines_depths: vec!["gnubg 2-ply, rollout".into(), "xg 3-ply, Roller++".into()],
        thresholds: Thresholds { error: 50, blunder: 100 },
        interval: "95\u{a0}%, z = 1.96".into(),
    }
}

/// A season of invented players: every pair once or twice, one of them weak, one match of money, one undated, one
/// unfinished, one without analysis.
pub(crate) struct Season {
    pub(crate) matches: Vec<Played>,
}

const PLAYERS: [&str; 8] =
    ["Aldergrove", "Bramblewick", "Cinderpath", "Dovetail", "\u{c9}mberline", "Foxglove", "Gristmill", "Hollow Beck"];

impl Season {
    pub(crate) fn new() -> Self {
        let mut matches = Vec::new();
        for (a, left) in PLAYERS.iter().enumerate() {
            for (b, right) in PLAYERS.iter().enumerate().skip(a + 1) {
                let seed = 17 + u64::try_from(a * 31 + b * 7).unwrap();
                let mut wish = Wish::new([left, right], seed);
                wish.care = [9 - u64::try_from(a).unwrap(), 9 - u64::try_from(b).unwrap()];
                wish.length = [5, 7, 9][(a + b) % 3];
                wish.date = Some(20_466 + i32::try_from(a * 37 + b * 5).unwrap());
                wish.event = ["Lantern Open", "Granary Cup", "Mill Lane Club"][(a * b) % 3];
                let round = format!("Round {}", b + 2);
                wish.round = &round;
                match (a, b) {
                    (2, 5) => wish.length = 0,
                    (3, 6) => wish.date = None,
                    (1, 6) => wish.finished = false,
                    (0, 7) => wish.analysed = false,
                    (1, 2) => wish.xg = true,
                    _ => {}
                }
                matches.push(play(&wish));
            }
        }
        Self { matches }
    }

    pub(crate) fn figures(&self) -> Vec<PlayerMatchRow> {
        self.matches.iter().flat_map(|m| m.figures.iter().cloned()).collect()
    }

    pub(crate) fn rows(&self) -> Vec<MatchRow> {
        self.matches.iter().map(|m| m.row.clone()).collect()
    }

    pub(crate) fn players(&self) -> Vec<PlayerSeasonRow> {
        let figures = self.figures();
        let mut names: Vec<&str> = figures.iter().filter_map(|row| row.player.as_deref()).collect();
        names.sort_unstable();
        names.dedup();
        let of = |name: Option<&str>| -> Vec<&PlayerMatchRow> {
            figures.iter().filter(|row| name.is_none() || row.player.as_deref() == name).collect()
        };
        names.into_iter().map(Some).chain([None]).map(|name| season_row(name, &of(name))).collect()
    }
}

/// What lists tell of these figures.
pub(crate) fn seats<'a>(rows: impl IntoIterator<Item = &'a PlayerMatchRow>) -> Vec<SeatRow> {
    let of = |row: &PlayerMatchRow| SeatRow {
        match_id: row.match_id.clone(),
        seat: row.seat,
        player: row.player.clone(),
        opponent: row.opponent.clone(),
        date: row.date,
        won: row.won,
        luck_adjusted: row.luck_adjusted,
        decisions: row.decisions,
        pr: row.pr,
        pr_low: row.pr_low,
        pr_high: row.pr_high,
        pr_units: row.pr_units,
        loss: row.loss,
        l7: row.l7,
        errors: row.errors,
        blunders: row.blunders,
        luck: row.luck,
        luck_rolls: row.luck_rolls,
    };
    rows.into_iter().map(of).collect()
}
