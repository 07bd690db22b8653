//! A decision as a card: position, what was played and what was best, the candidates, and one sentence that says what the
//! error was about. The sentence comes from the stored theme and stored figures; no other cause is claimed
//! (`product-views.md` 10).

use super::boards::{Diagram, board};
use super::format;
use super::markup::Markup;
use super::names::{TOKEN, shown};
use super::position::{position, xgid};
use super::words;
use crate::game::key::{Asked, PositionKey};
use crate::game::{Equity, Play};
use crate::tables::facts::{CandidateRow, DecisionRow, MatchRow};
use serde::Serialize;
use std::collections::BTreeMap;

/// Candidates shown besides the play made.
const CANDIDATES: usize = 4;

/// A card.
#[derive(Debug, Serialize)]
pub(super) struct Card {
    /// Anchor: `d0123`.
    pub(super) id: String,
    pub(super) number: i64,
    pub(super) what: String,
    /// First part of the heading: the best; then what was made.
    pub(super) best: String,
    pub(super) made: String,
    /// The line of a folded card.
    pub(super) who: String,
    pub(super) where_: String,
    pub(super) price: String,
    /// `x` or `o`: the decider's checker in the page's charts.
    pub(super) mark: &'static str,
    pub(super) board: Option<Markup>,
    pub(super) xgid: String,
    pub(super) caption: String,
    pub(super) ranked: bool,
    pub(super) options: Vec<Choice>,
    pub(super) why: String,
    pub(super) fact: String,
    /// Arrows are drawn.
    pub(super) arrows: bool,
    pub(super) shared: bool,
}

/// A candidate play or a cube action.
#[derive(Debug, Serialize)]
pub(super) struct Choice {
    rank: String,
    text: String,
    /// `best`, `made`, `both` or empty.
    mark: &'static str,
    note: &'static str,
    equity: String,
    cost: String,
}

/// What the cards of a match have in common.
pub(super) struct Table<'a> {
    pub(super) of: &'a MatchRow,
    /// Names as shown, by seat.
    pub(super) names: [String; 2],
    /// The seat shown first, solid in charts.
    pub(super) first: i64,
    pub(super) candidates: BTreeMap<&'a str, Vec<&'a CandidateRow>>,
}

/// Candidates by decision, best first.
pub(super) fn by_decision(rows: &[CandidateRow]) -> BTreeMap<&str, Vec<&CandidateRow>> {
    let mut by: BTreeMap<&str, Vec<&CandidateRow>> = BTreeMap::new();
    for row in rows {
        by.entry(&row.decision_id).or_default().push(row);
    }
    for list in by.values_mut() {
        list.sort_by_key(|row| row.rank);
    }
    by
}

/// Where a decision stands on the page of its match: the page, and the decision's anchor where its id has one.
pub(super) fn address(page: &str, decision_id: &str) -> String {
    match decision_id.rsplit_once('-') {
        Some((_, order)) if !order.is_empty() && order.bytes().all(|b| b.is_ascii_digit()) => {
            format!("{page}#d{order}")
        }
        _ => page.to_owned(),
    }
}

/// The anchor of a decision.
pub(super) fn anchor(row: &DecisionRow) -> String {
    format!("d{:04}", row.order)
}

impl Table<'_> {
    /// Decider and opponent, as shown.
    fn sides(&self, row: &DecisionRow) -> [&str; 2] {
        let [one, two] = [self.names[0].as_str(), self.names[1].as_str()];
        if row.seat == 2 { [two, one] } else { [one, two] }
    }

    /// The decider's name.
    pub(super) fn decider(&self, row: &DecisionRow) -> &str {
        self.sides(row)[0]
    }

    /// The decider's checker in charts and tables.
    pub(super) fn mark(&self, row: &DecisionRow) -> &'static str {
        if row.seat == self.first { "x" } else { "o" }
    }

    fn list(&self, row: &DecisionRow) -> &[&CandidateRow] {
        self.candidates.get(row.decision_id.as_str()).map_or(&[], Vec::as_slice)
    }

    /// The card of a decision, on the page of its match.
    pub(super) fn card(&self, row: &DecisionRow) -> Card {
        self.named(row, &anchor(row))
    }

    /// The card of a decision under another anchor: a letter and digits, unique on the page.
    pub(super) fn named(&self, row: &DecisionRow, id: &str) -> Card {
        let position = position(row);
        let sides = self.sides(row);
        let (made, best) = (words::made(row), words::best(row).unwrap_or_default());
        let play = |text: &Option<String>| text.as_deref().and_then(|text| Play::from_notation(text).ok());
        let plays = if row.kind == "checker" { [play(&row.play), play(&row.best)] } else { [None, None] };
        let right = best == made;
        let diagram = Diagram {
            id: &format!("b{}", id.trim_start_matches(|c: char| c.is_ascii_alphabetic())),
            names: sides,
            scores: [away(row, row.own_away), away(row, row.opp_away)],
            question: format!("{}, {}", words::question(sides[0], row), spoken_score(row)),
            made: made.clone(),
            best: best.clone(),
            made_play: plays[0],
            best_play: plays[1],
        };
        let question = words::question(sides[0], row);
        Card {
            id: id.to_owned(),
            number: row.order,
            what: format!("Game {} \u{b7} decision {} \u{b7} {question}, {}", row.game, row.order, words::score(row)),
            made: heading_made(row, &made, &best),
            best: if best.is_empty() { made.clone() } else { best },
            who: sides[0].to_owned(),
            where_: format!("game {}, {}", row.game, words::score(row)),
            price: price(row),
            mark: self.mark(row),
            board: position.as_ref().map(|position| board(position, &diagram)),
            xgid: position.as_ref().map(|position| xgid(position, self.of)).unwrap_or_default(),
            caption: self.caption(row),
            ranked: row.kind == "checker",
            options: if row.kind == "checker" { self.plays(row) } else { actions(row) },
            why: self.why(row, position.as_ref()),
            fact: fact(row),
            arrows: !right
                && position.is_some_and(|p| matches!(p.asked, Asked::Move(_)))
                && plays.iter().any(Option::is_some),
            shared: !right && share_a_step(plays),
        }
    }

    fn caption(&self, row: &DecisionRow) -> String {
        if row.kind != "checker" {
            return "Cube action, equity of the doubler".to_owned();
        }
        let list = self.list(row);
        let left = list.len().saturating_sub(shown_plays(row, list).len());
        match left {
            0 => "Candidates, best first".to_owned(),
            left => format!("Candidates, best first; {left} more in the tables"),
        }
    }

    fn plays(&self, row: &DecisionRow) -> Vec<Choice> {
        shown_plays(row, self.list(row))
            .into_iter()
            .map(|play| {
                let (is_best, is_made) = (play.rank == 0, row.played_rank == Some(play.rank));
                Choice {
                    rank: (play.rank + 1).to_string(),
                    text: shown(&play.play, TOKEN),
                    mark: mark(is_best, is_made),
                    note: note(is_best, is_made),
                    equity: format::equity(play.equity),
                    cost: cost(play.cost),
                }
            })
            .collect()
    }

    /// The explanation: one sentence from the theme.
    fn why(&self, row: &DecisionRow, position: Option<&PositionKey>) -> String {
        let Some(mpt) = row.e_mpt else {
            let reason = row.unrated_reason.as_deref().map_or_else(|| "no error stored".to_owned(), words::unrated);
            return format!("Not rated: {reason}.");
        };
        if mpt == 0 {
            return "No error.".to_owned();
        }
        let cost = match row.loss {
            Some(loss) => format!("cost {} ({} MWC)", format::error(mpt), format::percent(format::mwc_share(loss))),
            None => format!("cost {}", format::error(mpt)),
        };
        match row.theme.as_deref().and_then(|theme| self.cause(theme, row, position)) {
            Some(cause) => format!("{cause}: {cost}."),
            None => format!("{}.", words::sentence(&cost)),
        }
    }

    /// The first half of the sentence; `None` when the theme is unknown or a figure is missing.
    fn cause(&self, theme: &str, row: &DecisionRow, position: Option<&PositionKey>) -> Option<String> {
        let list = self.list(row);
        let best = list.iter().find(|play| play.rank == 0);
        let made = list.iter().find(|play| Some(play.rank) == row.played_rank);
        let blots = |n: i64| if n == 1 { "1 blot".to_owned() } else { format!("{n} blots") };
        let answer = Equity::from_units(row.dt.unwrap_or(0)) - Equity::from_units(row.dp.unwrap_or(0));
        Some(match theme {
            "gammon" => format!(
                "The best play wins {}\u{a0}% gammons against {}\u{a0}%",
                format::chance(best?.win_gammon?),
                format::chance(made?.win_gammon?)
            ),
            "blots" => format!("The play leaves {}, the best {}", blots(row.blots_played?), row.blots_best?),
            "point" => {
                let home = |text: &Option<String>| {
                    Play::from_notation(text.as_deref()?)
                        .ok()?
                        .apply(&position?.board)
                        .ok()
                        .map(|board| board.home_points())
                };
                format!("The best play makes {} home points, the play {}", home(&row.best)?, home(&row.play)?)
            }
            "passive" => format!(
                "The best play wins {}\u{a0}% against {}\u{a0}% by leaving {} instead of {}",
                format::chance(best?.win?),
                format::chance(made?.win?),
                blots(row.blots_best?),
                row.blots_played?
            ),
            "offer_missed" => format!("Doubling was worth {}", format::equity(Some(row.dt?.min(row.dp?)))),
            "offer_premature" if row.best.as_deref() == Some("too_good") => {
                format!("Playing on was worth {}", format::equity(row.nd))
            }
            "offer_premature" => format!("Not doubling was worth {}", format::equity(Some(row.nd?))),
            "answer_wrong_take" => format!("Passing was better by {}", format::error(answer.mpt().0)),
            "answer_wrong_pass" => format!("Taking was better by {}", format::error(-answer.mpt().0)),
            _ => return None,
        })
    }
}

fn shown_plays<'a>(row: &DecisionRow, list: &[&'a CandidateRow]) -> Vec<&'a CandidateRow> {
    list.iter()
        .enumerate()
        .filter(|(at, play)| *at < CANDIDATES || Some(play.rank) == row.played_rank)
        .map(|(_, play)| *play)
        .collect()
}

fn share_a_step(plays: [Option<Play>; 2]) -> bool {
    match plays {
        [Some(made), Some(best)] => made.steps().iter().any(|step| best.steps().contains(step)),
        _ => false,
    }
}

const fn mark(is_best: bool, is_made: bool) -> &'static str {
    match (is_best, is_made) {
        (true, true) => "both",
        (true, false) => "best",
        (false, true) => "made",
        (false, false) => "",
    }
}

const fn note(is_best: bool, is_made: bool) -> &'static str {
    match (is_best, is_made) {
        (true, true) => "best, played",
        (true, false) => "best",
        (false, true) => "played",
        (false, false) => "",
    }
}

fn cost(units: Option<i64>) -> String {
    units.map_or_else(|| format::ABSENT.to_owned(), |units| format::error(Equity::from_units(units).mpt().0))
}

/// The three equities of a cube position, or the two of an answer.
fn actions(row: &DecisionRow) -> Vec<Choice> {
    let (Some(nd), Some(dt), Some(dp)) = (row.nd, row.dt, row.dp) else { return Vec::new() };
    let again = if row.cube_owner == "m" { "Redouble" } else { "Double" };
    let line = |text: String, equity: i64, is_best: bool, is_made: bool, cost_of: Option<i64>| Choice {
        rank: String::new(),
        text,
        mark: mark(is_best, is_made),
        note: note(is_best, is_made),
        equity: format::equity(Some(equity)),
        cost: cost(cost_of.map(|cost| cost.max(0))),
    };
    if matches!(row.kind.as_str(), "take" | "pass") {
        let take_is_best = dt <= dp;
        return vec![
            line("Take".to_owned(), dt, take_is_best, row.kind == "take", Some(dt - dp)),
            line("Pass".to_owned(), dp, !take_is_best, row.kind == "pass", Some(dp - dt)),
        ];
    }
    let doubled = dt.min(dp);
    let best = nd.max(doubled);
    let doubling_is_best = doubled > nd;
    let doubles = row.kind == "double";
    let of = |equity: i64| (equity == doubled).then_some(best - doubled);
    vec![
        line(format!("No {}", again.to_lowercase()), nd, !doubling_is_best, !doubles, Some(best - nd)),
        line(format!("{again}, take"), dt, doubling_is_best && dt <= dp, doubles && dt <= dp, of(dt)),
        line(
            format!("{again}, pass"),
            dp,
            doubling_is_best && dt > dp,
            doubles && dt > dp,
            if dt > dp { of(dp) } else { None },
        ),
    ]
}

fn heading_made(row: &DecisionRow, made: &str, best: &str) -> String {
    if best.is_empty() {
        return String::new();
    }
    if best == made || row.e_mpt == Some(0) {
        return ", as played".to_owned();
    }
    if row.kind == "checker" { format!(", not {made}") } else { format!("; played: {}", made.to_lowercase()) }
}

/// `0.135 · 1.77 % MWC`.
fn price(row: &DecisionRow) -> String {
    match (row.e_mpt, row.loss) {
        (Some(0), _) => "no error".to_owned(),
        (Some(mpt), Some(loss)) => {
            format!("{} \u{b7} {} MWC", format::error(mpt), format::percent(format::mwc_share(loss)))
        }
        (Some(mpt), None) => format::error(mpt),
        _ => "not rated".to_owned(),
    }
}

fn away(row: &DecisionRow, points: i64) -> String {
    if row.regime == "money" { "money".to_owned() } else { format!("{points}-away") }
}

fn spoken_score(row: &DecisionRow) -> String {
    words::score_with(row, " against ")
}

/// Difficulty, plan, phase, theme, depth.
fn fact(row: &DecisionRow) -> String {
    let mut text = String::new();
    if let Some(difficulty) = row.difficulty {
        text.push_str(&format!("Difficulty {}. ", format::percent(format::mwc_share(difficulty))));
    }
    // A play that was not analysed weighs nothing in the difficulty (`metrics.md` 8).
    if let Some(legal) =
        row.legal_plays.filter(|legal| row.kind == "checker" && *legal > row.candidates && row.candidates > 0)
    {
        text.push_str(&format!("{} of {} plays analysed: a lower bound. ", row.candidates, legal));
    }
    let mut kind = vec![words::sentence(&words::token(&row.plan)), words::token(&row.phase)];
    kind.extend(row.theme.as_deref().map(words::theme));
    text.push_str(&format!("{}.", kind.join(", ")));
    let depth = |label: &Option<String>| label.as_deref().map(|label| shown(label, TOKEN));
    match (depth(&row.depth_best), depth(&row.depth_played)) {
        (Some(best), Some(played)) if best != played => {
            text.push_str(&format!(" Analysis: best {best}, played {played}."))
        }
        (Some(best), _) => text.push_str(&format!(" Analysis {best}.")),
        _ => {}
    }
    if let Some(trials) = row.trials {
        text.push_str(&format!(" {} games rolled out.", format::count(trials)));
    }
    text
}
