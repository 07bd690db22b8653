//! What the study system would say of the made seasons. Plans, recurring errors, reviews and biases come out of the
//! measures themselves; the other marts are summed here from the made decisions, or made up where a page must show
//! every verdict.

use super::figures::interval;
use super::{Played, SEASON, Season, blank};
use portes::measure::biases::Leanings;
use portes::measure::interval::Quantile;
use portes::measure::recurring::Recurring;
use portes::measure::reference::References;
use portes::measure::review::review;
use portes::measure::selection::Selection;
use portes::measure::study_plan::StudyPlan;
use portes::report::PlayerStudy;
use portes::tables::facts::{CandidateRow, DecisionRow};
use portes::tables::marts::PlayerMatchRow;
use portes::tables::partials::ErrorRow;
use portes::tables::row::Day;
use portes::tables::study_marts::{
    BeforeAfterRow, BiasRow, BreakdownRow, FamilyPositionRow, HeadToHeadRow, HistogramRow, MatchReviewRow,
    PlacesPointsRow, RecurringErrorRow, ReferencePositionRow, RollingRow, StandingRow, StudyPlanRow, StudyTotalsRow,
    TournamentFamilyRow, TournamentReviewRow, TrendRow, WorstDecisionRow,
};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A player's rows of every mart that his page shows.
#[derive(Default)]
pub(crate) struct Studied {
    pub(crate) plan: Vec<StudyPlanRow>,
    pub(crate) totals: Vec<StudyTotalsRow>,
    pub(crate) family_positions: Vec<FamilyPositionRow>,
    pub(crate) recurring: Vec<RecurringErrorRow>,
    pub(crate) positions: Vec<ReferencePositionRow>,
    pub(crate) decisions: Vec<DecisionRow>,
    pub(crate) candidates: Vec<CandidateRow>,
    pub(crate) biases: Vec<BiasRow>,
    pub(crate) before_after: Vec<BeforeAfterRow>,
    pub(crate) breakdowns: Vec<BreakdownRow>,
    pub(crate) rolling: Vec<RollingRow>,
    pub(crate) trend: Vec<TrendRow>,
    pub(crate) histogram: Vec<HistogramRow>,
    pub(crate) worst: Vec<WorstDecisionRow>,
    pub(crate) head_to_head: Vec<HeadToHeadRow>,
}

impl Studied {
    pub(crate) fn of(season: &Season, player: &str) -> Self {
        let mut mine: Vec<(&Played, &DecisionRow)> = Vec::new();
        for of in &season.matches {
            let seat = if of.row.player_1 == player { 1 } else { 2 };
            if [&of.row.player_1, &of.row.player_2].contains(&&player.to_owned()) {
                mine.extend(of.decisions.iter().filter(|row| row.seat == seat).map(|row| (of, row)));
            }
        }
        mine.sort_by_key(|(_, row)| &row.decision_id);
        let counted: Vec<(&Played, &DecisionRow)> = mine.iter().copied().filter(|(_, row)| row.counted).collect();
        let errors: Vec<ErrorRow> = mine.iter().filter_map(|(_, row)| error(row)).collect();
        let selection = Selection { season: SEASON, player: Some(player) };
        let n = i64::try_from(counted.len()).unwrap();
        let mut studied = Self {
            plan: errors.iter().collect::<StudyPlan>().rows(&selection, Quantile::Normal),
            totals: vec![errors.iter().collect::<StudyPlan>().totals(None, &selection, Quantile::Normal)],
            recurring: errors.iter().collect::<Recurring>().rows(&selection, n),
            biases: biases(player, &counted),
            before_after: before_after(player),
            breakdowns: breakdowns(player, &counted),
            rolling: rolling(player, &counted),
            trend: Vec::new(),
            histogram: histogram(player, &counted),
            worst: worst(player, &counted),
            head_to_head: head_to_head(player, &season.figures()),
            ..Self::default()
        };
        studied.choose(player, &errors, &counted);
        studied.place(&errors, (season, selection), &counted);
        studied
    }

    /// The positions of the families, and the decisions of the worst of them.
    fn place(
        &mut self,
        errors: &[ErrorRow],
        (season, selection): (&Season, Selection<'_>),
        counted: &[(&Played, &DecisionRow)],
    ) {
        let mut references = References::default();
        for row in errors {
            let of = season.matches.iter().find(|of| of.row.match_id == row.match_id).unwrap();
            references.add(row, &of.row);
        }
        self.family_positions = references.positions(&selection).unwrap();
        for row in self.family_positions.iter().filter(|row| row.rank <= 5) {
            if !self.decisions.iter().any(|it| it.decision_id == row.decision_id) {
                let (_, decision) = counted.iter().find(|(_, it)| it.decision_id == row.decision_id).unwrap();
                self.decisions.push((*decision).clone());
            }
        }
    }

    /// A player's study plan of one event.
    pub(crate) fn of_event(season: &Season, event: &str, player: &str) -> (Vec<TournamentFamilyRow>, StudyTotalsRow) {
        let selection = Selection { season: SEASON, player: Some(player) };
        let there = season.matches.iter().filter(|of| of.row.event.as_deref() == Some(event));
        let mut plan = StudyPlan::default();
        for of in there {
            let seat = if of.row.player_1 == player { 1 } else { 2 };
            if [of.row.player_1.as_str(), of.row.player_2.as_str()].contains(&player) {
                let errors: Vec<ErrorRow> =
                    of.decisions.iter().filter(|row| row.seat == seat).filter_map(error).collect();
                plan.extend(&errors);
            }
        }
        (
            plan.rows_of_event(event, &selection, Quantile::Normal),
            plan.totals(Some(event), &selection, Quantile::Normal),
        )
    }

    /// The dearest errors with a theme as reference positions; every seventh without its decision.
    fn choose(&mut self, player: &str, errors: &[ErrorRow], counted: &[(&Played, &DecisionRow)]) {
        let mut priced: Vec<&ErrorRow> = errors
            .iter()
            .filter(|row| row.theme.is_some() && row.loss > row.difficulty && row.difficulty.is_some())
            .collect();
        priced.sort_by_key(|row| (Reverse(row.loss), row.decision_id.clone()));
        for (rank, row) in (1..).zip(priced.iter().take(20)) {
            let gain = (row.loss.unwrap() - row.difficulty.unwrap()) as f64 / 1e9;
            self.positions.push(ReferencePositionRow {
                season: SEASON.into(),
                player: player.into(),
                rank,
                position_key: row.position_key.clone(),
                xgid: format!(
                    "XGID={}:0:0:1:00:0:0:0:7:10",
                    row.position_key.split('|').nth(1).unwrap_or(&row.position_key)
                ),
                plan: row.plan.clone(),
                nature: row.nature.clone(),
                theme: row.theme.clone().unwrap(),
                gain,
                covered_excess: gain,
                covered: 1 + rank % 3,
                errors: 1 + rank % 4,
                matches: 1 + rank % 2,
                gap: (rank % 5 != 0).then_some(row.mpt),
                close: rank % 4 == 0,
                unstable: rank % 6 == 0,
                rollout: rank % 3 == 0,
                decision_id: row.decision_id.clone(),
                match_id: row.match_id.clone(),
                discarded: 3,
                handled: 1,
                left: 7,
            });
            if rank % 7 != 2 {
                let (of, decision) = counted.iter().find(|(_, it)| it.decision_id == row.decision_id).unwrap();
                self.decisions.push((*decision).clone());
                self.candidates.extend(of.candidates.iter().filter(|it| it.decision_id == row.decision_id).cloned());
            }
        }
    }

    pub(crate) fn view(&self) -> PlayerStudy<'_> {
        PlayerStudy {
            plan: &self.plan,
            totals: &self.totals,
            family_positions: &self.family_positions,
            recurring: &self.recurring,
            positions: &self.positions,
            decisions: &self.decisions,
            candidates: &self.candidates,
            biases: &self.biases,
            before_after: &self.before_after,
            breakdowns: &self.breakdowns,
            rolling: &self.rolling,
            trend: &self.trend,
            histogram: &self.histogram,
            worst: &self.worst,
            head_to_head: &self.head_to_head,
        }
    }

    pub(crate) fn reverse(&mut self) {
        self.plan.reverse();
        self.trend.reverse();
        self.totals.reverse();
        self.family_positions.reverse();
        self.recurring.reverse();
        self.positions.reverse();
        self.decisions.reverse();
        self.candidates.reverse();
        self.biases.reverse();
        self.before_after.reverse();
        self.breakdowns.reverse();
        self.rolling.reverse();
        self.histogram.reverse();
        self.worst.reverse();
        self.head_to_head.reverse();
    }
}

/// The decisions to review of a made match.
pub(crate) fn reviews(decisions: &[DecisionRow]) -> Vec<MatchReviewRow> {
    review(&decisions.iter().filter_map(error).collect::<Vec<_>>())
}

fn nature(row: &DecisionRow) -> &'static str {
    if row.kind == "checker" { "checker" } else { "cube" }
}

fn error(row: &DecisionRow) -> Option<ErrorRow> {
    let mpt = row.e_mpt.filter(|mpt| *mpt >= 50 && row.counted)?;
    Some(ErrorRow {
        season: SEASON.into(),
        match_id: row.match_id.clone(),
        decision_id: row.decision_id.clone(),
        game: row.game,
        order: row.order,
        seat: row.seat,
        kind: row.kind.clone(),
        nature: nature(row).into(),
        plan: row.plan.clone(),
        theme: row.theme.clone(),
        phase: row.phase.clone(),
        mpt,
        loss: row.loss,
        difficulty: row.difficulty,
        avoidable: row.avoidable,
        position_key: row.position_key.clone(),
        own_away: row.own_away,
        opp_away: row.opp_away,
        ..blank()
    })
}

/// A row of the table of biases.
pub(crate) fn bias(player: &str, bias: &str, score: Option<(i64, i64)>, of: Leanings) -> BiasRow {
    let figure = of.bias(Quantile::Normal);
    BiasRow {
        season: SEASON.into(),
        player: Some(player.into()),
        bias: bias.into(),
        own_away: score.map(|score| score.0),
        opp_away: score.map(|score| score.1),
        decisions: of.decisions,
        plus: of.plus,
        minus: of.minus,
        value: figure.map(|bias| bias.value),
        low: figure.map(|bias| bias.low()),
        high: figure.map(|bias| bias.high()),
        verdict: of.verdict(Quantile::Normal).token().into(),
        cost_plus: of.plus as f64 * 0.047,
        cost_minus: of.minus as f64 * 0.061,
        excluded_share: (bias == "blots").then_some(0.0123),
    }
}

fn biases(player: &str, counted: &[(&Played, &DecisionRow)]) -> Vec<BiasRow> {
    let sign = |row: &DecisionRow| match row.kind.as_str() {
        _ if row.e_mpt == Some(0) => 0,
        "take" | "double" => 1,
        "pass" | "no_double" => -1,
        _ => (row.blots_played.unwrap_or(0) - row.blots_best.unwrap_or(0)).signum(),
    };
    let sum = |wanted: &dyn Fn(&DecisionRow) -> bool| {
        let rows = counted.iter().filter(|(_, row)| wanted(row));
        rows.fold(Leanings::default(), |of, (_, row)| Leanings {
            plus: of.plus + i64::from(sign(row) > 0),
            minus: of.minus + i64::from(sign(row) < 0),
            decisions: of.decisions + 1,
        })
    };
    let is_offer = |row: &DecisionRow| row.kind == "double" || row.kind == "no_double";
    let mut rows = vec![
        bias(player, "take", None, sum(&|row| row.kind == "take" || row.kind == "pass")),
        bias(player, "double", None, sum(&is_offer)),
        bias(player, "blots", None, sum(&|row| row.kind == "checker" && row.contact)),
    ];
    let mut scores: Vec<(i64, i64)> =
        counted.iter().filter(|(_, row)| is_offer(row)).map(|(_, row)| (row.own_away, row.opp_away)).collect();
    scores.sort_unstable();
    scores.dedup();
    for score in scores {
        let here = sum(&|row| is_offer(row) && (row.own_away, row.opp_away) == score);
        rows.push(bias(player, "double", Some(score), here));
    }
    rows
}

/// The five examples of `metrics.md` 14.
pub(crate) fn before_after(player: &str) -> Vec<BeforeAfterRow> {
    let row = |position, plan: &str, theme: &str, n: (i64, i64), r: (f64, f64), ends: (f64, f64), verdict: &str| {
        BeforeAfterRow {
            season: "all".into(),
            player: player.into(),
            position,
            plan: plan.into(),
            nature: if theme.starts_with("offer") { "cube" } else { "checker" }.into(),
            theme: theme.into(),
            studied_on: Day(20_480 + i32::try_from(position).unwrap()),
            decisions_before: n.0,
            decisions_after: n.1,
            rate_before: Some(r.0 / 1e4),
            rate_after: Some(r.1 / 1e4),
            delta: Some((r.0 - r.1) / 1e4),
            low: Some(ends.0 / 1e4),
            high: Some(ends.1 / 1e4),
            verdict: verdict.into(),
            not_studied: 4,
        }
    };
    vec![
        row(1, "holding", "blots", (40, 50), (40.0, 0.0), (12.2814, 67.7186), "improved"),
        row(2, "race", "offer_missed", (80, 60), (13.875, 2.3333), (1.0644, 22.0189), "improved"),
        row(3, "blitz", "gammon", (50, 40), (2.0, 31.25), (-57.3514, -1.1486), "worse"),
        row(4, "contact", "passive", (40, 40), (0.0, 0.0), (0.0, 0.0), "undetermined"),
        row(5, "contact", "point", (29, 50), (10.3448, 0.0), (-4.7679, 25.4576), "insufficient"),
    ]
}

fn breakdowns(player: &str, counted: &[(&Played, &DecisionRow)]) -> Vec<BreakdownRow> {
    let mut cells: BTreeMap<(&str, String), BTreeMap<&str, Vec<&DecisionRow>>> = BTreeMap::new();
    for (of, row) in counted {
        let score = if row.own_away == 0 { "money".into() } else { format!("{}-{}", row.own_away, row.opp_away) };
        let other = if of.row.player_1 == player { &of.row.player_2 } else { &of.row.player_1 };
        for (dimension, cell) in [
            ("phase", row.phase.clone()),
            ("plan", row.plan.clone()),
            ("score", score),
            ("kind", row.kind.clone()),
            ("length", of.row.length.map_or("money".into(), |length| length.to_string())),
            ("opponent", other.clone()),
            ("month", "2026-03".into()),
            ("theme", "none".into()),
            ("engine", of.analyses[0].engine.clone()),
            ("depth", row.depth_best.clone().unwrap_or_default()),
        ] {
            cells.entry((dimension, cell)).or_default().entry(&of.row.match_id).or_default().push(row);
        }
    }
    let mpt = |rows: &[&DecisionRow]| rows.iter().filter_map(|row| row.e_mpt).sum::<i64>();
    cells
        .into_iter()
        .map(|((dimension, cell), matches)| {
            let units: Vec<(i64, i64)> =
                matches.values().map(|rows| (mpt(rows), i64::try_from(rows.len()).unwrap())).collect();
            let n: i64 = units.iter().map(|unit| unit.1).sum();
            let sum: i64 = units.iter().map(|unit| unit.0).sum();
            let over = |least: i64| matches.values().flatten().filter(|row| row.e_mpt >= Some(least)).count();
            let ends = interval(&units, 0.5);
            BreakdownRow {
                season: SEASON.into(),
                player: Some(player.into()),
                dimension: dimension.into(),
                cell,
                decisions: n,
                errors: i64::try_from(over(50)).unwrap(),
                blunders: i64::try_from(over(100)).unwrap(),
                mpt: sum,
                pr: Some(0.5 * sum as f64 / n as f64),
                low: ends.map(|ends| ends.0),
                high: ends.map(|ends| ends.1),
                units: i64::try_from(units.len()).unwrap(),
                loss: None,
            }
        })
        .collect()
}

fn rolling(player: &str, counted: &[(&Played, &DecisionRow)]) -> Vec<RollingRow> {
    [5, 10, 50, 100, 250, 500, 1000]
        .into_iter()
        .map(|size| {
            let last: Vec<i64> =
                counted.iter().rev().take(usize::try_from(size).unwrap()).filter_map(|(_, row)| row.e_mpt).collect();
            let n = i64::try_from(last.len()).unwrap();
            RollingRow {
                season: "all".into(),
                player: player.into(),
                size,
                decisions: n,
                pr: (n > 0).then(|| 0.5 * last.iter().sum::<i64>() as f64 / n as f64),
            }
        })
        .collect()
}

fn histogram(player: &str, counted: &[(&Played, &DecisionRow)]) -> Vec<HistogramRow> {
    let ends = [0, 5, 10, 25, 50, 100];
    ends.iter()
        .zip(ends.iter().skip(1).map(|to| Some(*to)).chain([None]))
        .map(|(from, to)| {
            let here: Vec<i64> = counted
                .iter()
                .filter_map(|(_, row)| row.e_mpt)
                .filter(|mpt| mpt >= from && to.is_none_or(|to| *mpt < to))
                .collect();
            HistogramRow {
                season: SEASON.into(),
                player: Some(player.into()),
                from_mpt: *from,
                to_mpt: to,
                decisions: i64::try_from(here.len()).unwrap(),
                mpt: here.iter().sum(),
            }
        })
        .collect()
}

fn worst(player: &str, counted: &[(&Played, &DecisionRow)]) -> Vec<WorstDecisionRow> {
    let mut rows: Vec<&DecisionRow> = counted.iter().map(|(_, row)| *row).collect();
    rows.sort_by_key(|row| (Reverse(row.e_mpt), Reverse(row.loss), row.decision_id.clone()));
    (1..)
        .zip(rows.iter().take(10))
        .map(|(rank, row)| WorstDecisionRow {
            season: SEASON.into(),
            player: Some(player.into()),
            rank,
            decision_id: row.decision_id.clone(),
            match_id: row.match_id.clone(),
            kind: row.kind.clone(),
            mpt: row.e_mpt.unwrap(),
            loss: row.loss.map(|loss| loss as f64 / 1e9),
            position_key: row.position_key.clone(),
        })
        .collect()
}

fn head_to_head(player: &str, figures: &[PlayerMatchRow]) -> Vec<HeadToHeadRow> {
    let mut by: BTreeMap<&str, Vec<&PlayerMatchRow>> = BTreeMap::new();
    for row in figures.iter().filter(|row| row.player.as_deref() == Some(player)) {
        by.entry(row.opponent.as_deref().unwrap()).or_default().push(row);
    }
    by.values_mut().for_each(|rows| rows.sort_by_key(|row| &row.match_id));
    by.into_iter()
        .map(|(opponent, rows)| HeadToHeadRow {
            season: SEASON.into(),
            player: player.into(),
            opponent: opponent.into(),
            matches: i64::try_from(rows.len()).unwrap(),
            wins: i64::try_from(rows.iter().filter(|row| row.won == Some(true)).count()).unwrap(),
            losses: i64::try_from(rows.iter().filter(|row| row.won == Some(false)).count()).unwrap(),
            decisions: rows.iter().map(|row| row.decisions).sum(),
            pr: rows[0].pr,
            low: None,
            high: None,
            opponent_pr: figures
                .iter()
                .find(|row| row.match_id == rows[0].match_id && row.player.as_deref() == Some(opponent))
                .and_then(|row| row.pr),
        })
        .collect()
}

impl Season {
    /// The review of every player at every tournament, all verdicts among them; the first player is the reference.
    pub(crate) fn tournaments(&self) -> Vec<TournamentReviewRow> {
        let mut by: BTreeMap<(String, String), Vec<PlayerMatchRow>> = BTreeMap::new();
        for (of, row) in self.matches.iter().flat_map(|of| of.figures.iter().map(move |row| (of, row))) {
            if let Some(event) = &of.row.event {
                by.entry((event.clone(), row.player.clone().unwrap())).or_default().push(row.clone());
            }
        }
        by.values_mut().for_each(|figures| figures.sort_by_key(|row| row.match_id.clone()));
        let mut rows: Vec<TournamentReviewRow> = Vec::new();
        for (at, ((event, player), figures)) in by.iter().enumerate() {
            let reference = rows.last().is_none_or(|row| row.event != *event);
            let units: Vec<(i64, i64)> = figures
                .iter()
                .map(|row| ((row.error_sum.unwrap_or(0.0) * 1000.0).round() as i64, row.decisions))
                .collect();
            let n: i64 = units.iter().map(|unit| unit.1).sum();
            let pr = (n > 0).then(|| 0.5 * units.iter().map(|unit| unit.0).sum::<i64>() as f64 / n as f64);
            let ends = interval(&units, 0.5);
            let shift = [2.5, -2.5, 0.4, 0.0][at % 4];
            let verdict = ["worse", "better", "usual", "insufficient"][at % 4];
            let known = verdict != "insufficient" && pr.is_some();
            let base = TournamentReviewRow {
                season: SEASON.into(),
                event: event.clone(),
                player: player.clone(),
                reference,
                measure: "pr".into(),
                value: pr,
                value_low: ends.map(|ends| ends.0),
                value_high: ends.map(|ends| ends.1),
                usual: pr.filter(|_| known).map(|pr| pr - shift),
                usual_low: pr.filter(|_| known).map(|pr| pr - shift - 0.8),
                usual_high: pr.filter(|_| known).map(|pr| pr - shift + 0.8),
                delta: known.then_some(shift),
                low: known.then_some(shift - 1.7),
                high: known.then_some(shift + 1.7),
                verdict: if known { verdict } else { "insufficient" }.into(),
                decisions: n,
                decisions_usual: known.then_some(900),
                usual_matches: if known { 12 } else { 3 },
                from: Some(Day(20_100)),
                to: Some(Day(20_464)),
                ..blank()
            };
            let place = |scope: &str, position, cell: Option<&str>| TournamentReviewRow {
                scope: scope.into(),
                position,
                cell: cell.map(str::to_owned),
                ..base.clone()
            };
            rows.push(place("overall", 1, None));
            rows.push(TournamentReviewRow {
                measure: "l7".into(),
                value: figures[0].l7,
                value_low: figures[0].l7_low,
                value_high: figures[0].l7_high,
                usual: figures[0].l7.filter(|_| known),
                usual_low: None,
                usual_high: None,
                delta: known.then_some(0.0),
                low: known.then_some(-0.02),
                high: known.then_some(0.02),
                ..place("overall", 2, None)
            });
            for (position, row) in (1..).zip(figures) {
                rows.push(TournamentReviewRow {
                    value: row.pr,
                    value_low: row.pr_low,
                    value_high: row.pr_high,
                    decisions: row.decisions,
                    verdict: if row.pr.is_some() { &base.verdict } else { "insufficient" }.to_owned(),
                    ..place("round", position, Some(&row.match_id))
                });
            }
            for (position, cell) in (1..).zip(["1-30", "31-60", "61-90", "91+"]) {
                rows.push(place("rank", position, Some(cell)));
            }
            for (position, cell) in (1..).zip(["dmp", "crawford", "post_crawford", "other"]) {
                rows.push(place("score", position, Some(cell)));
            }
            if at % 2 == 0 {
                rows.push(place("pace", 1, Some("quick")));
                rows.push(place("pace", 2, Some("considered")));
            }
        }
        rows
    }

    /// Places of one event, two players on the first of them, and the standings that follow.
    pub(crate) fn standings(&self) -> (Vec<StandingRow>, Vec<PlacesPointsRow>) {
        let players = self.players();
        let named: Vec<_> = players.iter().filter(|row| row.player.is_some()).collect();
        let places: Vec<PlacesPointsRow> = (0..)
            .zip(named.iter().take(5))
            .map(|(at, row)| PlacesPointsRow {
                season: SEASON.into(),
                event: "Lantern Open".into(),
                player: row.player.clone().unwrap(),
                place: if at < 2 { 1 } else { at + 1 },
                points: [21.5, 21.5, 15.0, 12.0, 10.0][usize::try_from(at).unwrap()],
            })
            .collect();
        let standings = (1..)
            .zip(&named)
            .map(|(rank, row)| {
                let place = places.iter().find(|place| Some(&place.player) == row.player.as_ref());
                StandingRow {
                    season: SEASON.into(),
                    player: row.player.clone().unwrap(),
                    rank: Some(rank),
                    points: Some(place.map_or(0.0, |place| place.points)),
                    best_place: place.map(|place| place.place),
                    matches: row.matches,
                    wins: row.wins.unwrap(),
                    losses: row.losses.unwrap(),
                    decisions: row.decisions,
                    pr: row.pr,
                    ..blank()
                }
            })
            .collect();
        (standings, places)
    }
}
