//! The columns of decisions and candidates that a contest is cut from: one in five, and the rest is much text. They are
//! read from the parts of the whole tables; no part is ever written of them.

use crate::tables::facts::{CandidateRow, DecisionRow};
use crate::tables::row::table;

table! {
    /// What a contest is cut from, of a decision.
    ActionRow = "decisions", key ["match_id", "game"], "The columns of a decision that the Academy reads." {
        decision_id "decision_id": String, "", "match_id, a hyphen, four digits (order in the match)";
        match_id "match_id": String, "", "the match";
        game "game": i64, "", "from 1";
        seat "seat": i64, "seat", "1 or 2: who decides";
        kind "kind": String, "", "`checker`, `no_double`, `double`, `take`, `pass`";
        dice "dice": Option<i64>, "", "two digits, larger first; null for cube actions";
        position_key "position_key": String, "", "identity of the position, seen from the decider";
        play "play": Option<String>, "", "play made (`dance` = no legal play); null for cube actions or when unknown";
        legal_plays "legal_plays": Option<i64>, "", "legal plays, counted as distinct boards";
        played_rank "played_rank": Option<i64>, "", "rank of the play made among the candidates, from 0; null = not among them";
        cube "cube": i64, "", "cube value before the action";
        counted "counted": bool, "", "counts in PR and all that follows";
        loss "loss": Option<i64>, "1e-9 MWC", "loss of the error; null in money play and where it has no price";
    }
}

table! {
    /// What a contest is cut from, of a candidate.
    ListedRow = "candidates", key ["decision_id", "rank"], "The columns of a candidate that the Academy reads." {
        decision_id "decision_id": String, "", "the decision";
        rank "rank": i64, "", "from 0; 0 = the best";
        play "play": String, "", "the play";
        equity "equity": Option<i64>, "1e-8 EMG", "mover's side; null for a listed play without evaluation";
        cost "cost": Option<i64>, "1e-8 EMG", "equity of the best minus this one, unrounded";
        win "win": Option<i64>, "1e-8", "wins of any kind";
    }
}

impl From<&DecisionRow> for ActionRow {
    fn from(row: &DecisionRow) -> Self {
        Self {
            decision_id: row.decision_id.clone(),
            match_id: row.match_id.clone(),
            game: row.game,
            seat: row.seat,
            kind: row.kind.clone(),
            dice: row.dice,
            position_key: row.position_key.clone(),
            play: row.play.clone(),
            legal_plays: row.legal_plays,
            played_rank: row.played_rank,
            cube: row.cube,
            counted: row.counted,
            loss: row.loss,
        }
    }
}

impl From<&CandidateRow> for ListedRow {
    fn from(row: &CandidateRow) -> Self {
        Self {
            decision_id: row.decision_id.clone(),
            rank: row.rank,
            play: row.play.clone(),
            equity: row.equity,
            cost: row.cost,
            win: row.win,
        }
    }
}
