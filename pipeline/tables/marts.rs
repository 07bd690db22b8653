//! Marts: finished figures, one table per question, 64-bit floats in natural units (EMG, winning chances as a
//! fraction, PR). Null = absent. `player` null = both seats.

use super::row::{Day, table};

/// The figures every pool of a player's decisions has, whatever the pool: a match, a season, a career.
macro_rules! figures_table {
    ($(#[$doc:meta])* $row:ident = $table:literal, key [$($key:literal),*], $about:literal { $($own:tt)* }) => {
        table! {
            $(#[$doc])*
            $row = $table, key [$($key),*], $about {
                $($own)*
                decisions "decisions": i64, "decisions", "counted decisions";
                decisions_checker "decisions_checker": i64, "decisions", "counted checker plays";
                decisions_double "decisions_double": i64, "decisions", "counted no doubles and doubles";
                decisions_take "decisions_take": i64, "decisions", "counted takes and passes";
                error_sum "error_sum": Option<f64>, "EMG", "errors of the counted decisions";
                error_checker "error_checker": Option<f64>, "EMG", "of checker plays";
                error_double "error_double": Option<f64>, "EMG", "of no doubles and doubles";
                error_take "error_take": Option<f64>, "EMG", "of takes and passes";
                pr "pr": Option<f64>, "PR", "500 x errors / counted decisions";
                pr_low "pr_low": Option<f64>, "PR", "lower end of the 95 % interval";
                pr_high "pr_high": Option<f64>, "PR", "upper end";
                pr_units "pr_units": i64, "", "units of that interval: games of a match, matches of a set";
                pr_checker "pr_checker": Option<f64>, "PR", "of checker plays";
                pr_checker_low "pr_checker_low": Option<f64>, "PR", "lower end";
                pr_checker_high "pr_checker_high": Option<f64>, "PR", "upper end";
                pr_cube "pr_cube": Option<f64>, "PR", "of cube actions";
                pr_cube_low "pr_cube_low": Option<f64>, "PR", "lower end";
                pr_cube_high "pr_cube_high": Option<f64>, "PR", "upper end";
                snowie "snowie": Option<f64>, "PR", "Snowie error rate: 500 x errors of all rated decisions / checker plays of both players";
                loss "loss": Option<f64>, "MWC", "losses of the counted decisions";
                loss_checker "loss_checker": Option<f64>, "MWC", "of checker plays";
                loss_double "loss_double": Option<f64>, "MWC", "of no doubles and doubles";
                loss_take "loss_take": Option<f64>, "MWC", "of takes and passes";
                priced "priced": i64, "decisions", "counted decisions with a loss";
                l7 "l7": Option<f64>, "MWC", "loss of a 7-point match at this rate";
                l7_low "l7_low": Option<f64>, "MWC", "lower end of the 95 % interval";
                l7_high "l7_high": Option<f64>, "MWC", "upper end";
                l7_units "l7_units": i64, "", "units of that interval";
                l7_checker "l7_checker": Option<f64>, "MWC", "the part of l7 that checker plays cost";
                l7_cube "l7_cube": Option<f64>, "MWC", "the part of l7 that cube actions cost: the two add up to it";
                elo_vs_engine "elo_vs_engine": Option<f64>, "Elo", "strength against the engine";
                elo_low "elo_low": Option<f64>, "Elo", "from the upper end of L7";
                elo_high "elo_high": Option<f64>, "Elo", "from the lower end of L7";
                elo_floored "elo_floored": Option<bool>, "", "the figure stands at its floor";
                difficulty "difficulty": Option<f64>, "MWC", "difficulty of the decisions that have loss and difficulty";
                excess "excess": Option<f64>, "MWC", "loss minus difficulty over the same decisions";
                ratio "ratio": Option<f64>, "", "loss / difficulty; absent under 0.5 % of difficulty";
                errors "errors": i64, "decisions", "counted, at or above the Error threshold";
                blunders "blunders": i64, "decisions", "counted, at or above the Blunder threshold";
                avoidable "avoidable": i64, "decisions", "avoidable errors";
                luck "luck": Option<f64>, "EMG", "luck of the measured rolls";
                luck_mwc "luck_mwc": Option<f64>, "MWC", "the same in winning chances";
                luck_rolls "luck_rolls": i64, "rolls", "measured rolls";
                rolls "rolls": i64, "rolls", "all rolls, dances included";
                hasty "hasty": Option<i64>, "decisions", "errors played faster than the median; null without times";
                considered "considered": Option<i64>, "decisions", "errors played at or above the median";
                unknown_pace "unknown_pace": Option<i64>, "decisions", "errors without a time";
                forced "forced": i64, "decisions", "forced plays";
                outside_window "outside_window": i64, "decisions", "no doubles outside the counting window";
                unrated "unrated": i64, "decisions", "decisions without an error";
                uncounted_errors "uncounted_errors": i64, "decisions", "missed doubles no count sees";
                uncounted_mpt "uncounted_mpt": i64, "mpt", "their errors";
            }
        }
    };
}

figures_table! {
    /// One player's figures in one match, and both seats' together.
    PlayerMatchRow = "player_match", key ["match_id", "seat"],
    "One row per match and seat, and one per match for both seats together (seat and player null)." {
        season "season": String, "", "season of the match";
        match_id "match_id": String, "", "the match";
        seat "seat": Option<i64>, "seat", "1 or 2; null = both";
        player "player": Option<String>, "", "canonical name; null = both seats";
        opponent "opponent": Option<String>, "", "canonical name of the other seat";
        date "date": Option<Day>, "day", "day of the match";
        event "event": Option<String>, "", "event";
        round "round": Option<String>, "", "round";
        play "play": String, "", "`points`, `money`, `too_long`";
        length "length": Option<i64>, "points", "match length";
        finished "finished": bool, "", "the match came to its end";
        won "won": Option<bool>, "", "null without a result";
        games "games": i64, "", "games played";
        luck_adjusted "luck_adjusted": Option<f64>, "MWC", "result minus luck, this seat's side; finished points matches with a measured roll";
        coverage "coverage": Option<f64>, "", "measured rolls / rolls, both players together";
        error_balance "error_balance": Option<f64>, "MWC", "opponent's loss minus own";
        xg_pr "xg_pr": Option<f64>, "PR", "as XG prints it: unrounded errors, XG's own counting; null where the file is not XG's";
        xg_decisions "xg_decisions": Option<i64>, "decisions", "as XG counts";
        xg_decisions_checker "xg_decisions_checker": Option<i64>, "decisions", "as XG counts";
        xg_decisions_double "xg_decisions_double": Option<i64>, "decisions", "as XG counts";
        xg_decisions_take "xg_decisions_take": Option<i64>, "decisions", "as XG counts";
        xg_error_sum "xg_error_sum": Option<f64>, "EMG", "as XG sums";
        xg_error_checker "xg_error_checker": Option<f64>, "EMG", "as XG sums";
        xg_error_double "xg_error_double": Option<f64>, "EMG", "as XG sums";
        xg_error_take "xg_error_take": Option<f64>, "EMG", "as XG sums";
        xg_loss "xg_loss": Option<f64>, "MWC", "as XG sums";
        xg_loss_checker "xg_loss_checker": Option<f64>, "MWC", "as XG sums";
        xg_loss_double "xg_loss_double": Option<f64>, "MWC", "as XG sums";
        xg_loss_take "xg_loss_take": Option<f64>, "MWC", "as XG sums";
    }
}

table! {
    /// What lists of a season tell of a seat: some columns of [`PlayerMatchRow`], out of the same parts. A season has three
    /// rows a match, each of a hundred and more cells.
    SeatRow = "player_match", key ["match_id", "seat"],
    "Some columns of the table; the others are not read." {
        match_id "match_id": String, "", "the match";
        seat "seat": Option<i64>, "seat", "1 or 2; null = both";
        player "player": Option<String>, "", "canonical name; null = both seats";
        opponent "opponent": Option<String>, "", "canonical name of the other seat";
        date "date": Option<Day>, "day", "day of the match";
        won "won": Option<bool>, "", "null without a result";
        luck_adjusted "luck_adjusted": Option<f64>, "MWC", "result minus luck";
        decisions "decisions": i64, "decisions", "counted decisions";
        pr "pr": Option<f64>, "PR", "500 x errors / counted decisions";
        pr_low "pr_low": Option<f64>, "PR", "lower end of the 95 % interval";
        pr_high "pr_high": Option<f64>, "PR", "upper end";
        pr_units "pr_units": i64, "", "units of that interval";
        loss "loss": Option<f64>, "MWC", "losses of the counted decisions";
        l7 "l7": Option<f64>, "MWC", "loss of a 7-point match at this rate";
        errors "errors": i64, "decisions", "counted, at or above the Error threshold";
        blunders "blunders": i64, "decisions", "counted, at or above the Blunder threshold";
        luck "luck": Option<f64>, "EMG", "luck of the measured rolls";
        luck_rolls "luck_rolls": i64, "rolls", "measured rolls";
    }
}

figures_table! {
    /// One player's figures over a season, and everybody's together.
    PlayerSeasonRow = "player_season", key ["season", "player"],
    "One row per season and player, and one per season for both seats of every match (player null)." {
        season "season": String, "", "the season";
        player "player": Option<String>, "", "canonical name; null = both seats";
        matches "matches": i64, "matches", "matches he played";
        wins "wins": Option<i64>, "matches", "won; null for both seats together";
        losses "losses": Option<i64>, "matches", "lost";
        level "level": Option<String>, "", "level band of the PR";
    }
}

figures_table! {
    /// One player's figures over everything the lake holds.
    PlayerCareerRow = "player_career", key ["player"],
    "One row per player over all seasons, and one for both seats of every match (player null)." {
        player "player": Option<String>, "", "canonical name; null = both seats";
        matches "matches": i64, "matches", "matches he played";
        wins "wins": Option<i64>, "matches", "won; null for both seats together";
        losses "losses": Option<i64>, "matches", "lost";
        level "level": Option<String>, "", "level band of the PR";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::row::Row as _;

    #[test]
    fn what_is_read_of_a_seat_is_declared_as_it_is_stored() {
        assert_eq!((SeatRow::TABLE, SeatRow::KEY), (PlayerMatchRow::TABLE, PlayerMatchRow::KEY));
        for column in SeatRow::COLUMNS {
            let stored = PlayerMatchRow::COLUMNS.iter().find(|stored| stored.name == column.name);
            let declared = |column: &crate::tables::row::Column| (column.kind, column.nullable, column.unit);
            assert_eq!(stored.map(declared), Some(declared(column)), "{}", column.name);
        }
    }
}
