//! Partials: what the measures need of one match, summed in the pass that writes its part, so that a night touches
//! only its own matches. First moments only: a variance is finished in Rust, in 128-bit integers.

use super::row::table;

table! {
    /// Sums over one seat's decisions of one kind in one game.
    MomentRow = "moments", key ["match_id", "game", "seat", "kind"],
    "Sums over the decisions of one kind of one seat in one game." {
        season "season": String, "", "season of the match";
        match_id "match_id": String, "", "the match";
        game "game": i64, "", "from 1";
        seat "seat": i64, "seat", "1 or 2";
        kind "kind": String, "", "`checker`, `no_double`, `double`, `take`, `pass`";
        n "n": i64, "decisions", "all rows";
        rated "rated": i64, "decisions", "with an error";
        counted "counted": i64, "decisions", "in PR";
        forced "forced": i64, "decisions", "rated, forced";
        outside_window "outside_window": i64, "decisions", "rated no doubles out of the counting window or without access";
        unrated "unrated": i64, "decisions", "without an error";
        mpt "mpt": i64, "mpt", "errors of the counted";
        rated_mpt "rated_mpt": i64, "mpt", "errors of all rated, no doubles without access to the cube apart";
        e_raw "e_raw": i64, "1e-8 EMG", "unrounded errors of the counted";
        priced "priced": i64, "decisions", "counted with a loss";
        loss "loss": i64, "1e-9 MWC", "losses of the counted";
        both "both": i64, "decisions", "counted with loss and difficulty";
        both_loss "both_loss": i64, "1e-9 MWC", "losses of those";
        difficulty "difficulty": i64, "1e-9 MWC", "difficulties of those";
        errors "errors": i64, "decisions", "counted, at or above the Error threshold";
        blunders "blunders": i64, "decisions", "counted, at or above the Blunder threshold";
        avoidable "avoidable": i64, "decisions", "avoidable errors";
        uncounted_errors "uncounted_errors": i64, "decisions", "rated no doubles at or above the Error threshold that are not counted though the cube could be turned";
        uncounted_mpt "uncounted_mpt": i64, "mpt", "their errors";
        rolls "rolls": i64, "rolls", "checker plays, dances included";
        unrated_rolls "unrated_rolls": i64, "rolls", "of these, unrated";
        luck_rolls "luck_rolls": i64, "rolls", "rolls with a known luck";
        luck "luck": i64, "1e-8 EMG", "their luck";
        luck_mwc_rolls "luck_mwc_rolls": i64, "rolls", "rolls with a known luck in winning chances";
        luck_mwc "luck_mwc": i64, "1e-9 MWC", "their luck in winning chances";
        hasty "hasty": i64, "decisions", "errors played faster than his median of the match and nature";
        considered "considered": i64, "decisions", "errors played at or above it";
        unknown_pace "unknown_pace": i64, "decisions", "errors without a thinking time";
        timed "timed": i64, "decisions", "counted with a thinking time";
        xg_counted "xg_counted": i64, "decisions", "counted by XG's own flag and window";
        xg_e_raw "xg_e_raw": i64, "1e-8 EMG", "unrounded errors of those";
        xg_loss "xg_loss": i64, "1e-9 MWC", "their losses";
    }
}

table! {
    /// One error: what plans, reviews and reference positions are made of.
    ErrorRow = "errors", key ["match_id", "game", "order"],
    "One row per error: a counted decision at or above the Error threshold." {
        season "season": String, "", "season of the match";
        match_id "match_id": String, "", "the match";
        decision_id "decision_id": String, "", "the decision";
        game "game": i64, "", "from 1";
        order "order": i64, "", "order in the match";
        ply "ply": i64, "ply", "the roll of the game it decides, from 1; of a cube action, the roll it comes before";
        seat "seat": i64, "seat", "who decided";
        kind "kind": String, "", "`checker`, `no_double`, `double`, `take`, `pass`";
        nature "nature": String, "", "`checker` or `cube`";
        plan "plan": String, "", "game plan from the decider's side";
        theme "theme": Option<String>, "", "what the error was about";
        phase "phase": String, "", "phase of the position";
        mpt "mpt": i64, "mpt", "the error";
        loss "loss": Option<i64>, "1e-9 MWC", "its loss";
        difficulty "difficulty": Option<i64>, "1e-9 MWC", "its difficulty";
        avoidable "avoidable": bool, "", "the reference player hardly makes it";
        position_key "position_key": String, "", "identity of the position";
        own_away "own_away": i64, "points", "points the decider needs; 0 in money play";
        opp_away "opp_away": i64, "points", "points the opponent needs";
        gap "gap": Option<i64>, "mpt", "cost of the second-best option; null with fewer than two";
        ruling "ruling": String, "", "what the analysis says is right: the best play, or `double`/`no_double`, `take`/`pass`";
        played "played": Option<String>, "", "play made; null for cube actions or when unknown";
        rollout "rollout": bool, "", "the best is rolled out";
        depth_rank "depth_rank": Option<i64>, "", "rank of the analysis";
        seconds "seconds": Option<i64>, "s", "thinking time";
        pace "pace": Option<String>, "", "`hasty`, `considered`, `unknown`; null when the match has no times";
    }
}

table! {
    /// One of the ten worst decisions of one seat in one match.
    WorstRow = "worst", key ["match_id", "seat", "rank"],
    "The ten counted decisions of a seat that cost most in a match, under the Error threshold too; those that cost nothing are left out." {
        season "season": String, "", "season of the match";
        match_id "match_id": String, "", "the match";
        seat "seat": i64, "seat", "1 or 2";
        rank "rank": i64, "", "from 1";
        decision_id "decision_id": String, "", "the decision";
        game "game": i64, "", "from 1";
        order "order": i64, "", "order in the match";
        kind "kind": String, "", "`checker`, `no_double`, `double`, `take`, `pass`";
        mpt "mpt": i64, "mpt", "its error";
        loss "loss": Option<i64>, "1e-9 MWC", "its loss";
        position_key "position_key": String, "", "identity of the position";
    }
}

table! {
    /// Sums of one seat over one cell of a breakdown.
    CellRow = "cells", key ["match_id", "seat", "dimension", "cell"],
    "Sums over one seat's decisions of a match that fall into one cell of a breakdown." {
        season "season": String, "", "season of the match";
        match_id "match_id": String, "", "the match";
        seat "seat": i64, "seat", "1 or 2";
        dimension "dimension": String, "", "what the cells part: `phase`, `plan`, `theme`, `score`, `kind`, `best_action`, `direction`, `time`, `histogram`, `depth`, `bias`, `double_by_score`, `plan_nature`, `rank`, `pressure`, `clock`";
        cell "cell": String, "", "the cell";
        n "n": i64, "decisions", "counted decisions in it (for a bias: its base)";
        priced "priced": i64, "decisions", "of these, with a loss";
        mpt "mpt": i64, "mpt", "their errors";
        loss "loss": i64, "1e-9 MWC", "their losses";
        errors "errors": i64, "decisions", "at or above the Error threshold";
        blunders "blunders": i64, "decisions", "at or above the Blunder threshold";
        plus "plus": i64, "decisions", "a bias: too much";
        minus "minus": i64, "decisions", "a bias: too little";
        plus_mpt "plus_mpt": i64, "mpt", "cost of too much";
        minus_mpt "minus_mpt": i64, "mpt", "cost of too little";
        unread "unread": i64, "decisions", "a bias: decisions whose boards are not known";
    }
}

table! {
    /// What one analysis says of one position.
    RulingRow = "rulings", key ["match_id", "source_id", "game", "order"],
    "One narrow row per analysed decision of every analysis, primary or not: where two disagree, a position is unstable." {
        season "season": String, "", "season of the match";
        match_id "match_id": String, "", "the match";
        source_id "source_id": String, "", "the file whose analysis it is";
        game "game": i64, "", "from 1";
        order "order": i64, "", "order in the match";
        position "position": i64, "", "first 63 bits of BLAKE3 of the position key";
        ruling "ruling": String, "", "the best play, or `double`/`no_double`, `take`/`pass`";
        rollout "rollout": bool, "", "the best is rolled out";
        depth_rank "depth_rank": i64, "", "rank of the analysis";
    }
}

impl RulingRow {
    /// What [`RulingRow::position`] holds for a position key. Keys that share it are one position for all that matters:
    /// with a hundred million positions the odds of any collision are under a thousandth.
    #[must_use]
    pub fn position_of(position_key: &str) -> i64 {
        let hash = blake3::hash(position_key.as_bytes());
        let first = hash.as_bytes().iter().take(8).fold(0u64, |bits, &byte| (bits << 8) | u64::from(byte));
        (first >> 1).cast_signed()
    }
}

table! {
    /// The errors of one seat's counted decisions, in order.
    SequenceRow = "sequences", key ["match_id", "seat"],
    "The errors of a seat's counted decisions in match order: what the rolling figures need." {
        season "season": String, "", "season of the match";
        match_id "match_id": String, "", "the match";
        seat "seat": i64, "seat", "1 or 2";
        n "n": i64, "decisions", "counted decisions";
        mpt "mpt": String, "mpt", "their errors in match order, separated by blanks";
    }
}
