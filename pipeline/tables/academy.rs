//! The Academy's tables: what its libraries hold, who vouches for it, and what it would have advised (`academy.md` 14).
//!
//! A season's tables of state (`academy_tree`, `_patterns`, `_votes`, `_measures`, `_players`) show the libraries as they
//! stood at its end; those of events (`academy_contests`, `_ratings`, `_filings`, `_advice`) lie in one part a month.
//! Sums and costs are whole units, because they are summed again; means, ratings and worths are finished figures.
//! A match named here need not be in `matches`: contest files tell of games that no analysis file shows.

use super::row::{Day, table};

table! {
    /// One contest handed to the Academy.
    AcademyContestRow = "academy_contests", key ["contest_id"],
    "One row per contest (in backgammon one game) in the Academy's order, also where it was used for nothing." {
        season "season": String, "", "season of the contest";
        contest_id "contest_id": String, "", "identity; in backgammon match id, hyphen, number of the game";
        game "game": String, "", "`backgammon`, `nackgammon`, `draughts`, ...: each has its own libraries";
        date "date": Option<Day>, "day", "day of the contest";
        match_id "match_id": String, "", "its match; the contest's own id where there is none";
        seq "seq": i64, "", "number within the match";
        position "position": i64, "", "place in the one order of all contests, from 1";
        first "first": String, "", "canonical name of who moved first";
        second "second": String, "", "canonical name of the other one";
        elo_first "elo_first": f64, "Elo", "rating of the first, before the match";
        elo_second "elo_second": f64, "Elo", "likewise of the second";
        result "result": Option<String>, "", "`first`, `draw`, `second`; null without a result";
        ends_on_board "final": bool, "", "the last position is a final one by the rules";
        plies "plies": i64, "plies", "turns, those without a legal move included";
        first_contact "first_contact": Option<i64>, "ply", "the first hit or capture; null = never";
        estimated "estimated": i64, "plies", "turns whose value is made of the equity, for want of probabilities";
        digest "digest": String, "", "hash of what the Academy reads of its match";
        status "status": String, "", "`filed`, `unfinished`, `edited` (a position is set up on the way)";
    }
}

table! {
    /// A rating that moved.
    AcademyRatingRow = "academy_ratings", key ["game", "match_id", "position", "player"],
    "One row per player and rated match (per contest where contests move ratings): ratings by results, or by the engine where the settings ask for it." {
        season "season": String, "", "season of the match";
        game "game": String, "", "the game";
        date "date": Option<Day>, "day", "day of the match";
        match_id "match_id": String, "", "the match";
        position "position": i64, "", "contests handed in when the rating moved";
        player "player": String, "", "canonical name";
        before "before": f64, "Elo", "before the match";
        after "after": f64, "Elo", "after it";
        experience "experience": i64, "points", "sum of the lengths of his matches, this one included; contests where they move ratings";
    }
}

table! {
    /// A node of the opening tree.
    AcademyTreeRow = "academy_tree", key ["game", "node"],
    "The opening library (Fuseki) at the end of the season: a tree of first moves with results and values." {
        season "season": String, "", "the season";
        game "game": String, "", "the game";
        node "node": i64, "", "order of creation; 0 = the starting position";
        parent "parent": Option<i64>, "", "the node it was reached from; null for the root";
        depth "depth": i64, "plies", "plies from the start";
        chance "chance": Option<String>, "", "what chance gave: the dice, larger first";
        play "move": String, "", "label of the move, as first seen; empty for the root";
        key "key": String, "", "the position after the move, seen by who made it";
        stopped_w "stopped_w": i64, "contests", "kept paths that end here, won by the first player";
        stopped_d "stopped_d": i64, "contests", "drawn";
        stopped_l "stopped_l": i64, "contests", "lost";
        total_w "total_w": i64, "contests", "those and all further down, won by the first player";
        total_d "total_d": i64, "contests", "drawn";
        total_l "total_l": i64, "contests", "lost";
        sum_value "sum_value": i64, "1e-9", "sum of values in the first player's view; a contest without any value counts with its result: 1, 0.5 or 0";
        n_value "n_value": i64, "values", "number of them";
        n_results "n_results": i64, "values", "how many of them are results, of contests in which nothing was analysed";
        sum_elo "sum_elo": i64, "1e-6 Elo", "sum of the Elo of those who made the move";
        n_elo "n_elo": i64, "moves", "number of them";
        value "value": Option<f64>, "", "mean of these values for who made the move (where `n_results` is `n_value`, of nothing but results); null without any and for the root";
        elo "elo": Option<f64>, "Elo", "mean Elo of who made it; null for the root";
        first_seen "first_seen": Option<Day>, "day", "day of the contest that created it";
        last_seen "last_seen": Option<Day>, "day", "day of the last contest that passed";
    }
}

table! {
    /// A local pattern with its signature.
    AcademyPatternRow = "academy_patterns", key ["game", "library", "id"],
    "The libraries of middle game and endgame at the end of the season: local patterns and how far players vouch for them." {
        season "season": String, "", "the season";
        game "game": String, "", "the game";
        library "library": String, "", "`chuban` (middle game) or `yose` (endgame)";
        id "id": i64, "", "order of creation within the library";
        area "area": String, "", "part of the board, as its mover calls it";
        rows "rows": String, "", "cells of each row of the area, apart by blanks";
        cells "cells": String, "", "symbols in reading order, seen by the mover: `-` empty, `x` `b` own soldier and king, `o` `w` theirs, `+` no cell; `B` `W` `1` `2` `#` stand for several";
        p "p": i64, "", "player the value is for: 1 first, 2 second; always 1 in symmetric games";
        n "n": i64, "players", "how many vouch for it (proposals, where those are the votes)";
        e "e": f64, "Elo", "their mean Elo";
        v "v": f64, "", "expected value, weighted by Elo: 0 loss to 1 win; of the pattern, never of one position";
        proposals "proposals": i64, "proposals", "how often it was proposed";
        worth "worth": f64, "", "N E (0.5 - V)^2: the weakest leaves a full library";
        wild "wild": i64, "cells", "cells that stand for several contents";
        first_seen "first_seen": Option<Day>, "day", "day of the first proposal";
        last_seen "last_seen": Option<Day>, "day", "day of the last";
        example_contest "example_contest": String, "", "contest of the first proposal";
        example_ply "example_ply": i64, "ply", "its ply";
    }
}

table! {
    /// One player's vote for a pattern.
    AcademyVoteRow = "academy_votes", key ["game", "library", "id", "player"],
    "Who vouches for a pattern: the votes its signature is derived from." {
        season "season": String, "", "the season";
        game "game": String, "", "the game";
        library "library": String, "", "`chuban` or `yose`";
        id "id": i64, "", "the pattern";
        player "player": String, "", "canonical name";
        k "k": i64, "proposals", "his proposals";
        sum_elo "sum_elo": i64, "1e-6 Elo", "sum of his Elo at each";
        sum_value "sum_value": i64, "1e-9", "sum of the values proposed";
    }
}

table! {
    /// A proposal and what became of it.
    AcademyFilingRow = "academy_filings", key ["contest_id", "filing"],
    "What each contest added to the libraries of patterns, and which patterns left for want of room." {
        season "season": String, "", "season of the contest";
        contest_id "contest_id": String, "", "the contest";
        filing "filing": i64, "", "order within the contest, from 1";
        game "game": String, "", "the game";
        ply "ply": i64, "ply", "the ply that proposed";
        library "library": String, "", "`chuban` or `yose`";
        outcome "outcome": String, "", "`match`, `generalise`, `specialise`, `insert`; `evicted` = a pattern left";
        id "id": i64, "", "the pattern";
        area "area": String, "", "its area";
        cells "cells": String, "", "its cells afterwards; of one that left, its last";
        value "value": f64, "", "value proposed; of a pattern that left, its V";
        changed "changed": Option<i64>, "cells", "cells that changed; null for a pattern that left";
    }
}

table! {
    /// An advice the Academy would have given.
    AcademyAdviceRow = "academy_advice", key ["contest_id", "ply"],
    "What the Academy would have advised by what it knew before the contest, and what the engine makes of it." {
        season "season": String, "", "season of the contest";
        contest_id "contest_id": String, "", "the contest";
        match_id "match_id": String, "", "its match";
        game "game": String, "", "the game";
        ply "ply": i64, "ply", "number of the ply";
        player "player": String, "", "canonical name of who would have been advised";
        phase "phase": String, "", "`opening`, `middle`, `end`";
        source "source": String, "", "`node` of the tree or `pattern` of a library";
        source_id "source_id": i64, "", "its id when the advice was given";
        proposed "proposed": String, "", "play proposed";
        proposed_key "proposed_key": String, "", "the position it reaches, seen by the player";
        proposed_value "proposed_value": f64, "", "what node or pattern hold it worth for the player";
        proposed_elo "proposed_elo": f64, "Elo", "mean Elo behind it";
        played "played": String, "", "play made";
        cost_proposed "cost_proposed": Option<i64>, "1e-9", "what the proposal loses against the best play, in the game's unit (backgammon: EMG); null when nobody judged it";
        cost_played "cost_played": Option<i64>, "1e-9", "likewise of the play made";
        right "right": Option<bool>, "", "the proposal is the first candidate; null without candidates";
        played_right "played_right": Option<bool>, "", "the play made lost nothing (`cost_played` is 0), be it the first candidate or as good; null when nobody judged it";
    }
}

table! {
    /// One measure of a game.
    AcademyMeasureRow = "academy_measures", key ["game", "measure"],
    "What kind of game it is: the Academy's measures of everything up to the end of the season." {
        season "season": String, "", "the season";
        game "game": String, "", "the game";
        measure "measure": String, "", "`length_mean`, `width`, `depth`, `tempo`, `decisiveness`, `drama`, `size_log10`, ...";
        value "value": f64, "", "its value";
        kind "kind": String, "", "`exact`, `estimate` (from the moves played), `lower_bound`";
        n "n": i64, "", "number of things it rests on";
    }
}

table! {
    /// A player as the Academy knows him.
    AcademyPlayerRow = "academy_players", key ["game", "player"],
    "The Academy's players at the end of the season: rating, and how often the opening library was asked." {
        season "season": String, "", "the season";
        game "game": String, "", "the game";
        player "player": String, "", "canonical name";
        rating "rating": Option<f64>, "Elo", "rating by results (by the engine where the settings ask for it), or the one last stated by the input";
        experience "experience": i64, "points", "sum of the lengths of his rated matches; contests where they move ratings";
        contests "contests": i64, "contests", "with a result";
        opening_decisions "opening_decisions": i64, "decisions", "decisions in the opening";
        opening_taken "opening_taken": i64, "decisions", "of these, consulted";
    }
}
