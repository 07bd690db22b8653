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
        rated_mpt "rated_mpt": i64, "mpt", "errors of all rated";
        e_raw "e_raw": i64, "1e-8 EMG", "unrounded errors of the counted";
        priced "priced": i64, "decisions", "counted with a loss";
        loss "loss": i64, "1e-9 MWC", "losses of the counted";
        both "both": i64, "decisions", "counted with loss and difficulty";
        both_loss "both_loss": i64, "1e-9 MWC", "losses of those";
        difficulty "difficulty": i64, "1e-9 MWC", "difficulties of those";
        errors "errors": i64, "decisions", "counted, at or above the Error threshold";
        blunders "blunders": i64, "decisions", "counted, at or above the Blunder threshold";
        avoidable "avoidable": i64, "decisions", "avoidable errors";
        uncounted_errors "uncounted_errors": i64, "decisions", "rated no doubles at or above the Error threshold that are not counted";
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
