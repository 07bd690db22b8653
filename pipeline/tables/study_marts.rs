//! Marts of the study system: what to work on, whether it helped, in which direction a player errs
//! (`metrics.md` 10 and 12 to 18).

use super::row::{Day, table};

table! {
    /// A decision to review.
    MatchReviewRow = "match_review", key ["match_id", "seat", "rank"], "The errors of a seat that most deserve a second look." {
        season "season": String, "", "season of the match";
        match_id "match_id": String, "", "the match";
        seat "seat": i64, "seat", "1 or 2";
        rank "rank": i64, "", "from 1; a page shows the first three";
        decision_id "decision_id": String, "", "the decision";
        loss "loss": f64, "MWC", "its loss";
        difficulty "difficulty": Option<f64>, "MWC", "its difficulty; null counts as 0";
        avoidable_part "avoidable_part": f64, "MWC", "loss minus difficulty";
    }
}

table! {
    /// A family of errors in the study plan.
    StudyPlanRow = "study_plan", key ["season", "player", "plan", "nature", "theme"], "Families of errors and what they cost beyond their difficulty." {
        season "season": String, "", "the season";
        player "player": Option<String>, "", "canonical name; null = both seats";
        rank "rank": Option<i64>, "", "from 1; null = to confirm";
        position "position": i64, "", "place in the list: the plan first, then what is to confirm, from 1";
        plan "plan": String, "", "game plan";
        nature "nature": String, "", "`checker` or `cube`";
        theme "theme": String, "", "what the errors were about";
        members "members": i64, "errors", "priced errors of the family";
        avoidable "avoidable": i64, "errors", "of these, avoidable";
        recoverable "recoverable": f64, "MWC", "sum of loss minus difficulty";
        low "low": f64, "MWC", "lower end of its 95 % interval";
        high "high": f64, "MWC", "upper end";
        reason "reason": Option<String>, "", "`few_members`, `includes_zero`; null in the plan";
        unpriced "unpriced": i64, "errors", "errors of the selection without loss or difficulty";
        unthemed "unthemed": i64, "errors", "priced errors of the selection without a theme";
    }
}

table! {
    /// What a study plan is made of, and what it does not see.
    StudyTotalsRow = "study_totals", key ["season", "player", "event"],
    "One row per selection, also where no family or no error came of it: a player's season, and what he played at one event." {
        season "season": String, "", "the season";
        event "event": Option<String>, "", "the tournament; null = the whole season";
        player "player": Option<String>, "", "canonical name; null = both seats";
        errors "errors": i64, "errors", "errors of the selection";
        unpriced "unpriced": i64, "errors", "of these, without loss or difficulty";
        unthemed "unthemed": i64, "errors", "of these, priced and without a theme";
        families "families": i64, "families", "families of the others";
        established "established": i64, "families", "of these, established";
    }
}

table! {
    /// A family of errors in the study plan of one tournament.
    TournamentFamilyRow = "tournament_families", key ["season", "event", "player", "plan", "nature", "theme"],
    "The study plan of a player's errors in one event alone." {
        season "season": String, "", "the season";
        event "event": String, "", "the tournament";
        player "player": String, "", "canonical name";
        rank "rank": Option<i64>, "", "from 1; null = to confirm";
        position "position": i64, "", "place in the list: the plan first, then what is to confirm, from 1";
        plan "plan": String, "", "game plan";
        nature "nature": String, "", "`checker` or `cube`";
        theme "theme": String, "", "what the errors were about";
        members "members": i64, "errors", "priced errors of the family";
        avoidable "avoidable": i64, "errors", "of these, avoidable";
        recoverable "recoverable": f64, "MWC", "sum of loss minus difficulty";
        low "low": f64, "MWC", "lower end of its 95 % interval";
        high "high": f64, "MWC", "upper end";
        reason "reason": Option<String>, "", "`few_members`, `includes_zero`; null in the plan";
    }
}

table! {
    /// A position in which a family's errors were made.
    FamilyPositionRow = "family_positions", key ["season", "player", "plan", "nature", "theme", "rank"],
    "The positions of every family of five errors or more, the fifty worst of each." {
        season "season": String, "", "the season";
        player "player": String, "", "canonical name";
        plan "plan": String, "", "game plan";
        nature "nature": String, "", "`checker` or `cube`";
        theme "theme": String, "", "theme";
        rank "rank": i64, "", "from 1: the worst excess first";
        position_key "position_key": String, "", "identity of the position";
        xgid "xgid": String, "", "for any program; the decider is X";
        errors "errors": i64, "errors", "the family's errors in it";
        excess "excess": f64, "MWC", "loss minus difficulty of the worst of them";
        decision_id "decision_id": String, "", "that worst error";
        match_id "match_id": String, "", "its match";
        ply "ply": i64, "ply", "the roll of its game, from 1";
        best "best": Option<String>, "", "best play there; null for a cube action";
        played "played": Option<String>, "", "play made; null for a cube action or when unknown";
        positions "positions": i64, "positions", "all positions of the family";
    }
}

table! {
    /// A group of recurring errors.
    RecurringErrorRow = "recurring_errors", key ["season", "player", "plan", "nature", "theme"], "Errors by family, in PR points; money counts too." {
        season "season": String, "", "the season";
        player "player": Option<String>, "", "canonical name; null = both seats";
        rank "rank": i64, "", "from 1";
        plan "plan": String, "", "game plan";
        nature "nature": String, "", "`checker` or `cube`";
        theme "theme": String, "", "theme, or `none`";
        members "members": i64, "errors", "errors";
        mpt "mpt": i64, "mpt", "their sum";
        pr_cost "pr_cost": f64, "PR", "what they add to the PR";
        decisions "decisions": i64, "decisions", "counted decisions of the selection";
    }
}

table! {
    /// A position worth keeping.
    ReferencePositionRow = "reference_positions", key ["season", "player", "rank"], "The positions that teach most of a player's priced errors." {
        season "season": String, "", "the season";
        player "player": String, "", "canonical name";
        rank "rank": i64, "", "from 1";
        position_key "position_key": String, "", "identity of the position";
        xgid "xgid": String, "", "for any program; the decider is X";
        plan "plan": String, "", "game plan";
        nature "nature": String, "", "`checker` or `cube`";
        theme "theme": String, "", "theme";
        gain "gain": f64, "MWC", "what it and its neighbours cost beyond difficulty, halved for marginal and for unstable lessons";
        covered_excess "covered_excess": f64, "MWC", "the same, undiscounted";
        covered "covered": i64, "positions", "newly covered positions, itself included";
        errors "errors": i64, "errors", "errors covered";
        matches "matches": i64, "matches", "distinct matches of those";
        gap "gap": Option<i64>, "mpt", "cost of the second-best option";
        close "close": bool, "", "marginal: the gap is under half an error";
        unstable "unstable": bool, "", "another analysis rules differently";
        rollout "rollout": bool, "", "an analysis of it is a rollout";
        decision_id "decision_id": String, "", "its worst error";
        match_id "match_id": String, "", "the match of that";
        discarded "discarded": i64, "positions", "of the selection: near-duplicates discarded";
        handled "handled": i64, "positions", "of the selection: already treated";
        left "left": i64, "positions", "of the selection: candidates with some gain that were not needed";
    }
}

table! {
    /// A family before and after it was studied.
    BeforeAfterRow = "before_after", key ["player", "plan", "nature", "theme"], "Whether a family costs less since it was studied." {
        season "season": String, "", "always `all`: the question reaches over seasons";
        player "player": String, "", "canonical name";
        position "position": i64, "", "place in the list, from 1";
        plan "plan": String, "", "game plan";
        nature "nature": String, "", "`checker` or `cube`";
        theme "theme": String, "", "theme";
        studied_on "studied_on": Day, "day", "first study action, UTC day";
        decisions_before "decisions_before": i64, "decisions", "counted, priced decisions of the plan and nature before that day";
        decisions_after "decisions_after": i64, "decisions", "and after it";
        rate_before "rate_before": Option<f64>, "MWC", "loss of the family per such decision, before";
        rate_after "rate_after": Option<f64>, "MWC", "and after";
        delta "delta": Option<f64>, "MWC", "before minus after";
        low "low": Option<f64>, "MWC", "lower end of its 95 % interval";
        high "high": Option<f64>, "MWC", "upper end";
        verdict "verdict": String, "", "`improved`, `worse`, `undetermined`, `insufficient`";
        not_studied "not_studied": i64, "families", "families of the player without a study action";
    }
}

table! {
    /// A signed bias.
    BiasRow = "biases", key ["season", "player", "bias", "own_away", "opp_away"], "In which direction a player errs." {
        season "season": String, "", "the season";
        player "player": Option<String>, "", "canonical name; null = both seats";
        bias "bias": String, "", "`take`, `double`, `blots`";
        own_away "own_away": Option<i64>, "points", "null = all scores; 0 = money";
        opp_away "opp_away": Option<i64>, "points", "null = all scores; 0 = money";
        decisions "decisions": i64, "decisions", "base";
        plus "plus": i64, "decisions", "too much";
        minus "minus": i64, "decisions", "too little";
        value "value": Option<f64>, "", "(plus - minus) / decisions";
        low "low": Option<f64>, "", "lower end of its 95 % interval";
        high "high": Option<f64>, "", "upper end";
        verdict "verdict": String, "", "`too_much`, `too_little`, `balanced`, `insufficient`";
        cost_plus "cost_plus": f64, "EMG", "cost of too much";
        cost_minus "cost_minus": f64, "EMG", "cost of too little";
        excluded_share "excluded_share": Option<f64>, "", "share of decisions whose boards are not known";
    }
}

table! {
    /// One comparison of a tournament with a player's usual level.
    TournamentReviewRow = "tournament_review", key ["season", "event", "player", "scope", "cell", "measure"], "Did a player play at his level in a tournament?" {
        season "season": String, "", "the season";
        event "event": String, "", "the tournament";
        player "player": String, "", "canonical name";
        reference "reference": bool, "", "the tournament's reference player";
        scope "scope": String, "", "`overall`, `round`, `rank`, `score`, `pace`";
        position "position": i64, "", "place of the cell in its scope, from 1";
        cell "cell": Option<String>, "", "null for `overall`; the match id for `round`";
        measure "measure": String, "", "`pr` or `l7`";
        value "value": Option<f64>, "PR or MWC", "in the tournament";
        value_low "value_low": Option<f64>, "PR or MWC", "lower end of its interval";
        value_high "value_high": Option<f64>, "PR or MWC", "upper end";
        usual "usual": Option<f64>, "PR or MWC", "over the 365 days before; null when unknown";
        usual_low "usual_low": Option<f64>, "PR or MWC", "lower end";
        usual_high "usual_high": Option<f64>, "PR or MWC", "upper end";
        delta "delta": Option<f64>, "PR or MWC", "tournament minus usual";
        low "low": Option<f64>, "PR or MWC", "lower end of its 95 % interval";
        high "high": Option<f64>, "PR or MWC", "upper end";
        verdict "verdict": String, "", "`worse`, `better`, `usual`, `insufficient`";
        decisions "decisions": i64, "decisions", "in the tournament";
        decisions_usual "decisions_usual": Option<i64>, "decisions", "of the usual level";
        usual_matches "usual_matches": i64, "matches", "matches in the window";
        from "from": Option<Day>, "day", "first day of the window";
        to "to": Option<Day>, "day", "last day of the window";
    }
}

table! {
    /// One cell of a breakdown.
    BreakdownRow = "breakdowns", key ["season", "player", "dimension", "cell"], "PR by phase, plan, theme, score, length, opponent, engine, depth ..." {
        season "season": String, "", "the season";
        player "player": Option<String>, "", "canonical name; null = both seats";
        dimension "dimension": String, "", "`phase`, `plan`, `theme`, `score`, `length`, `opponent`, `engine`, `depth`, `kind`, `best_action`, `direction`, `time`, `month`";
        cell "cell": String, "", "the cell";
        decisions "decisions": i64, "decisions", "counted";
        errors "errors": i64, "decisions", "at or above the Error threshold";
        blunders "blunders": i64, "decisions", "at or above the Blunder threshold";
        mpt "mpt": i64, "mpt", "sum of errors";
        pr "pr": Option<f64>, "PR", "of the cell";
        low "low": Option<f64>, "PR", "lower end of the 95 % interval by matches";
        high "high": Option<f64>, "PR", "upper end";
        units "units": i64, "matches", "units of that interval";
        loss "loss": Option<f64>, "MWC", "losses; null when no decision has a price";
    }
}

table! {
    /// PR over the last decisions.
    RollingRow = "rolling", key ["player", "size"], "PR over a player's last decisions." {
        season "season": String, "", "always `all`";
        player "player": String, "", "canonical name";
        size "size": i64, "decisions", "5, 10, 50, 100, 250, 500, 1000";
        decisions "decisions": i64, "decisions", "how many there were";
        pr "pr": Option<f64>, "PR", "over them";
    }
}

table! {
    /// A straight line through a player's matches.
    TrendRow = "trend", key ["player"],
        "A straight line through a player's dated matches, weighted by counted decisions; no forecast, no interval." {
        season "season": String, "", "always `all`";
        player "player": String, "", "canonical name";
        matches "matches": i64, "matches", "dated matches with a counted decision";
        from "from": Option<Day>, "", "the first of them";
        to "to": Option<Day>, "", "the last of them";
        pr_from "pr_from": Option<f64>, "PR", "the line on the first day";
        pr_to "pr_to": Option<f64>, "PR", "the line on the last day";
        per_year "per_year": Option<f64>, "PR", "its slope: change in 365 days";
        goal_pr "goal_pr": Option<f64>, "PR", "the goal of the configuration";
        goal_day "goal_day": Option<Day>, "", "its day";
        pr_at_goal "pr_at_goal": Option<f64>, "PR", "the line on that day";
        reason "reason": Option<String>, "", "why there is no line: `not_enough_matches`, `one_day`";
    }
}

table! {
    /// Errors by size.
    HistogramRow = "histogram", key ["season", "player", "from_mpt"], "Counted decisions by the size of their error." {
        season "season": String, "", "the season";
        player "player": Option<String>, "", "canonical name; null = both seats";
        from_mpt "from_mpt": i64, "mpt", "lower end, included: 0, 5, 10, 25, 50, 100";
        to_mpt "to_mpt": Option<i64>, "mpt", "upper end, excluded; null = none";
        decisions "decisions": i64, "decisions", "counted decisions";
        mpt "mpt": i64, "mpt", "their errors";
    }
}

table! {
    /// One of the ten worst decisions.
    WorstDecisionRow = "worst_decisions", key ["season", "player", "rank"], "The ten counted decisions of a player that cost most, under the Error threshold too; those that cost nothing are left out." {
        season "season": String, "", "the season";
        player "player": Option<String>, "", "canonical name; null = both seats";
        rank "rank": i64, "", "from 1";
        decision_id "decision_id": String, "", "the decision";
        match_id "match_id": String, "", "its match";
        kind "kind": String, "", "kind of the decision";
        mpt "mpt": i64, "mpt", "its error";
        loss "loss": Option<f64>, "MWC", "its loss";
        position_key "position_key": String, "", "the position";
    }
}

table! {
    /// Two players against each other.
    HeadToHeadRow = "head_to_head", key ["season", "player", "opponent"], "A player against one opponent." {
        season "season": String, "", "the season";
        player "player": String, "", "canonical name";
        opponent "opponent": String, "", "canonical name";
        matches "matches": i64, "matches", "played";
        wins "wins": i64, "matches", "won";
        losses "losses": i64, "matches", "lost";
        decisions "decisions": i64, "decisions", "his counted decisions in them";
        pr "pr": Option<f64>, "PR", "his PR in them";
        low "low": Option<f64>, "PR", "lower end of the interval by matches";
        high "high": Option<f64>, "PR", "upper end";
        opponent_pr "opponent_pr": Option<f64>, "PR", "the opponent's PR in them";
    }
}

table! {
    /// A player's place in a season.
    StandingRow = "standings", key ["season", "player"], "The players table of a season, by place points where places are given." {
        season "season": String, "", "the season";
        player "player": String, "", "canonical name";
        rank "rank": Option<i64>, "", "by place points where the season has places, else by PR; null without counted decision";
        points "points": Option<f64>, "points", "place points; null without places";
        best_place "best_place": Option<i64>, "", "best single place";
        matches "matches": i64, "matches", "played";
        wins "wins": i64, "matches", "won";
        losses "losses": i64, "matches", "lost";
        decisions "decisions": i64, "decisions", "counted";
        pr "pr": Option<f64>, "PR", "PR";
        pr_checker "pr_checker": Option<f64>, "PR", "of checker plays";
        pr_cube "pr_cube": Option<f64>, "PR", "of cube actions";
        snowie "snowie": Option<f64>, "PR", "Snowie error rate";
        l7 "l7": Option<f64>, "MWC", "L7";
        blunders "blunders": i64, "decisions", "blunders";
        luck_per_roll "luck_per_roll": Option<f64>, "EMG", "luck per measured roll";
        club_elo "club_elo": Option<f64>, "", "rating (results) at the end of the season, from `academy_players`; null without a rated match, or where the Academy rates by the engine";
    }
}

table! {
    /// Place points of one event.
    PlacesPointsRow = "places_points", key ["season", "event", "player"], "Places and points from places.csv." {
        season "season": String, "", "the season";
        event "event": String, "", "the event: the folder the file lies in";
        player "player": String, "", "canonical name";
        place "place": i64, "", "final place";
        points "points": f64, "points", "tied players share the mean of the places they occupy";
    }
}
