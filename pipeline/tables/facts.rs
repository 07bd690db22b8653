//! The fact tables: one row per thing that happened, in whole units (`design.md` 4).

use super::row::{Day, table};

table! {
    /// A file below `raw/`.
    SourceRow = "sources", key ["path"], "One row per file below raw/, archives' members included." {
        season "season": String, "", "first folder below raw/, or the year of the match, or `undated`";
        path "path": String, "", "below raw/, `/` between folders, bytes that are not UTF-8 as \\xHH; a member of an archive follows `!/`";
        size "size": i64, "bytes", "size of the file";
        blake3 "blake3": String, "", "content hash, 64 hex digits";
        format "format": Option<String>, "", "`xg`, `sgf`, `mat`, `zip`; null when not recognised";
        status "status": String, "", "`ok`, `duplicate`, `superseded`, `unrated`, `partial`, `quarantined`, `unsupported`, `ignored`";
        reason "reason": Option<String>, "", "stable token: why the status is not `ok`; `passed_over` beside an `ok`";
        detail "detail": Option<String>, "", "the same in words";
        offset "offset": Option<i64>, "bytes", "first byte that does not fit";
        match_id "match_id": Option<String>, "", "the match it holds";
    }
}

table! {
    /// A match, however many files hold it.
    MatchRow = "matches", key ["match_id"], "One row per match that was played, however many files hold it." {
        season "season": String, "", "season of the smallest path of its files";
        match_id "match_id": String, "", "16 hex digits: a hash of what was played";
        event "event": Option<String>, "", "as written, else the second folder below raw/";
        round "round": Option<String>, "", "as written";
        place "place": Option<String>, "", "as written";
        date "date": Option<Day>, "day", "day of the match";
        name_1 "name_1": String, "", "first player as the primary file writes it";
        name_2 "name_2": String, "", "second player as written";
        player_1 "player_1": String, "", "first player, canonical (aliases applied)";
        player_2 "player_2": String, "", "second player, canonical";
        play "play": String, "", "`points`, `money`, `too_long`";
        length "length": Option<i64>, "points", "match length; null in money play";
        score_1 "score_1": i64, "points", "final score of the first player as the file states it, else summed over its games and not capped";
        score_2 "score_2": i64, "points", "final score of the second player";
        winner "winner": Option<i64>, "seat", "1 or 2; null without a result";
        finished "finished": bool, "", "somebody reached the length; money: every game has an end";
        games "games": i64, "", "games with at least one action or an end";
        rating_1 "rating_1": Option<String>, "", "first player's rating in the file, as written";
        rating_2 "rating_2": Option<String>, "", "second player's rating";
        start_mwc "start_mwc": Option<i64>, "1e-9 MWC", "the first player's match winning chances at the first score";
        crawford "crawford": bool, "", "the Crawford rule was in use";
        jacoby "jacoby": bool, "", "the Jacoby rule was in use";
        beavers "beavers": Option<bool>, "", "beavers were allowed; null where the format does not say";
        cube "cube": bool, "", "played with a cube";
        variant "variant": String, "", "`backgammon`, `nackgammon`, `hypergammon`, `longgammon`";
        digest "digest": String, "", "32 hex digits: a hash of all rows of the match";
        primary_digest "primary_digest": Option<String>, "", "32 hex digits: of the rows of its primary analysis alone, comments left out; the Academy goes by it";
    }
}

table! {
    /// One file's analysis of a match.
    AnalysisRow = "analyses", key ["match_id", "source_id"], "One row per match and distinct file that holds it." {
        season "season": String, "", "season of the match";
        match_id "match_id": String, "", "the match";
        source_id "source_id": String, "", "first 16 hex digits of the file's content hash";
        path "path": String, "", "smallest path with that content";
        format "format": String, "", "`xg`, `sgf`, `mat`";
        engine "engine": String, "", "`xg`, `gnubg`, `bgblitz`, `none`";
        engine_version "engine_version": Option<String>, "", "of the program or of the format";
        depths "depths": Option<String>, "", "depth labels and how many rated decisions have each, deepest first";
        met "met": String, "", "match equity table the measures use";
        rated "rated": i64, "decisions", "rated decisions";
        depth_sum "depth_sum": i64, "", "sum of the depth ranks of the rated decisions: the greatest is primary";
        primary "primary": bool, "", "this analysis fills `decisions`";
        partial "partial": bool, "", "the file breaks off or a game was left out";
        made_by_portes "made_by_portes": bool, "", "written by the tests' own writers";
    }
}

table! {
    /// A game.
    GameRow = "games", key ["match_id", "game"], "One row per game." {
        season "season": String, "", "season of the match";
        match_id "match_id": String, "", "the match";
        game "game": i64, "", "from 1";
        score_1 "score_1": i64, "points", "first player's score before the game";
        score_2 "score_2": i64, "points", "second player's score before the game";
        regime "regime": String, "", "`normal`, `crawford`, `post_crawford`, `money`";
        first "first": Option<i64>, "seat", "who began";
        winner "winner": Option<i64>, "seat", "who won; null = no end in the file";
        points "points": Option<i64>, "points", "points won, not capped at what the match needs";
        ending "ending": Option<String>, "", "`pass`, `borne_off`, `resigned`, `unknown`";
        plies "plies": i64, "rolls", "rolls played, dances included";
    }
}

/// Two tables with the same columns: one for the primary analyses, one for the others, whose rows also name their
/// file. Rows are made and rated as those of the first, and change their table when another analysis is primary.
macro_rules! twin_tables {
    (
        { $($name:ident $column:literal : $type:ty, $unit:literal, $meaning:literal;)* }
        $(#[$doc:meta])*
        $row:ident = $table:literal, key $key:tt, $about:literal
        $(#[$other_doc:meta])*
        $other:ident = $other_table:literal, key $other_key:tt, $other_about:literal
    ) => {
        table! {
            $(#[$doc])*
            $row = $table, key $key, $about {
                season "season": String, "", "season of the match";
                $($name $column: $type, $unit, $meaning;)*
            }
        }

        table! {
            $(#[$other_doc])*
            $other = $other_table, key $other_key, $other_about {
                season "season": String, "", "season of the match";
                source_id "source_id": String, "", "first 16 hex digits of the content hash of the file";
                $($name $column: $type, $unit, $meaning;)*
            }
        }

        impl $row {
            /// The same row as that of the file `source_id`, whose analysis is not primary.
            #[must_use]
            pub fn of_source(self, source_id: &str) -> $other {
                let Self { season, $($name),* } = self;
                $other { season, source_id: source_id.to_owned(), $($name),* }
            }
        }

        impl $other {
            /// The file it comes from, and the row as a primary analysis has it.
            #[must_use]
            pub fn into_primary(self) -> (String, $row) {
                let Self { season, source_id, $($name),* } = self;
                (source_id, $row { season, $($name),* })
            }
        }
    };
}

// The facts stand before what is rated: everything rated comes from the facts of the same match and nothing else.
twin_tables! {
    {
        decision_id "decision_id": String, "", "match_id, a hyphen, four digits (order in the match)";
        match_id "match_id": String, "", "the match";
        game "game": i64, "", "from 1";
        order "order": i64, "", "order in the match, from 0";
        seat "seat": i64, "seat", "1 or 2: who decides";
        kind "kind": String, "", "`checker`, `no_double`, `double`, `take`, `pass`";
        own_away "own_away": i64, "points", "points the decider needs; 0 in money play";
        opp_away "opp_away": i64, "points", "points the opponent needs; 0 in money play";
        regime "regime": String, "", "`normal`, `crawford`, `post_crawford`, `money`";
        play_kind "play_kind": String, "", "`points`, `money`, `too_long`";
        cube "cube": i64, "", "cube value before the action";
        cube_owner "cube_owner": String, "", "`c` centred, `m` decider, `o` opponent";
        may_double "may_double": bool, "", "kind no_double: the decider had access to the cube";
        beaver "beaver": bool, "", "the take is a beaver, or the row follows one";
        dice "dice": Option<i64>, "", "two digits, larger first; null for cube actions";
        position_key "position_key": String, "", "identity of the position, seen from the decider";
        play "play": Option<String>, "", "play made (`dance` = no legal play); null for cube actions or when unknown";
        best "best": Option<String>, "", "best play, or best cube action (`no_double`, `double_take`, `double_pass`, `too_good`)";
        legal_plays "legal_plays": Option<i64>, "", "legal plays, counted as distinct boards";
        candidates "candidates": i64, "", "candidates with an equity in the analysis";
        played_rank "played_rank": Option<i64>, "", "rank of the play made among the candidates, from 0; null = not among them";
        illegal "illegal": bool, "", "the play breaks the rules, or the file says so";
        nd "nd": Option<i64>, "1e-8 EMG", "equity of no double, doubler's side";
        dt "dt": Option<i64>, "1e-8 EMG", "equity of double, take, doubler's side";
        dp "dp": Option<i64>, "1e-8 EMG", "equity of double, pass, doubler's side";
        nd_mwc "nd_mwc": Option<i64>, "1e-9 MWC", "stored winning chances of no double, where the file has them";
        dt_mwc "dt_mwc": Option<i64>, "1e-9 MWC", "stored winning chances of double, take";
        best_std_error "best_std_error": Option<i64>, "1e-8 EMG", "standard error of the best, rollouts only";
        trials "trials": Option<i64>, "games", "games rolled out for the best";
        luck "luck": Option<i64>, "1e-8 EMG", "luck of the roll; null = not known";
        seconds "seconds": Option<i64>, "s", "thinking time; null = not recorded";
        depth_played "depth_played": Option<String>, "", "depth of the analysis of the play made";
        depth_best "depth_best": Option<String>, "", "depth of the analysis of the best";
        depth_rank "depth_rank": Option<i64>, "", "rank of the deepest of the analysis, 1 to 14";
        xg_forced "xg_forced": Option<bool>, "", "XG's own flag `does not count`; null in other formats";
        analysed "analysed": bool, "", "the file holds an analysis of some decision of the match";
        luck_mwc "luck_mwc": Option<i64>, "1e-9 MWC", "luck in winning chances";
        e_raw "e_raw": Option<i64>, "1e-8 EMG", "error, unrounded; null with unrated_reason";
        e_mpt "e_mpt": Option<i64>, "mpt", "error, rounded: the one every measure uses";
        unrated_reason "unrated_reason": Option<String>, "", "`no_analysis`, `not_listed`, `illegal`, `beaver`, `other_met`; null = rated";
        forced "forced": bool, "", "the choice costs nothing whatever is played";
        counted "counted": bool, "", "counts in PR and all that follows";
        xg_counted "xg_counted": Option<bool>, "", "counts in XG's own statistics; null in other formats";
        loss "loss": Option<i64>, "1e-9 MWC", "loss of the error; null in money play and where it has no price";
        xg_loss "xg_loss": Option<i64>, "1e-9 MWC", "loss of the unrounded error, as XG sums it; null in other formats";
        difficulty "difficulty": Option<i64>, "1e-9 MWC", "what the reference player loses here on average; counted decisions only";
        avoidable "avoidable": bool, "", "counted error the reference player hardly makes (10 d <= loss)";
        phase "phase": String, "", "`opening`, `middlegame`, `race`, `bearoff`";
        plan "plan": String, "", "game plan from the decider's side (plan_v1)";
        theme "theme": Option<String>, "", "what the error was about (theme_v2); counted decisions of at least 1 mpt";
        blots_played "blots_played": Option<i64>, "", "own blots after the play made";
        blots_best "blots_best": Option<i64>, "", "own blots after the best play";
        contact "contact": bool, "", "the sides can still hit or block each other";
    }
    /// A decision of the primary analysis of a match.
    DecisionRow = "decisions", key ["match_id", "game", "order"],
    "One row per decision of each match's primary analysis: a plain sum counts nothing twice."
    /// A decision as another analysis of the same match sees it.
    OtherDecisionRow = "other_decisions", key ["match_id", "source_id", "game", "order"],
    "The same columns for the analyses that are not primary."
}

twin_tables! {
    {
        decision_id "decision_id": String, "", "the decision";
        rank "rank": i64, "", "from 0; 0 = the best";
        play "play": String, "", "the play";
        equity "equity": Option<i64>, "1e-8 EMG", "mover's side; null for a listed play without evaluation";
        cost "cost": Option<i64>, "1e-8 EMG", "equity of the best minus this one, unrounded, may be negative for a shallower one";
        win "win": Option<i64>, "1e-8", "wins of any kind";
        win_gammon "win_gammon": Option<i64>, "1e-8", "gammons and backgammons won";
        win_backgammon "win_backgammon": Option<i64>, "1e-8", "backgammons won";
        lose "lose": Option<i64>, "1e-8", "losses of any kind";
        lose_gammon "lose_gammon": Option<i64>, "1e-8", "gammons and backgammons lost";
        lose_backgammon "lose_backgammon": Option<i64>, "1e-8", "backgammons lost";
        depth "depth": String, "", "depth of the evaluation";
        depth_rank "depth_rank": i64, "", "1 to 14, 0 unknown";
        trials "trials": Option<i64>, "games", "games rolled out";
    }
    /// A candidate play of a decision.
    CandidateRow = "candidates", key ["decision_id", "rank"],
    "One row per candidate play of the primary analyses, in the file's order."
    /// A candidate play as another analysis sees it.
    OtherCandidateRow = "other_candidates", key ["decision_id", "source_id", "rank"],
    "The same for the analyses that are not primary."
}

table! {
    /// A comment.
    CommentRow = "comments", key ["match_id", "index"], "Comments of the primary files, markup removed." {
        season "season": String, "", "season of the match";
        match_id "match_id": String, "", "the match";
        index "index": i64, "", "order in the file, from 0";
        game "game": Option<i64>, "", "null = about the match";
        order "order": Option<i64>, "", "order of the decision in the match; null = about the game";
        text "text": String, "", "plain text";
        origin "origin": String, "", "format of the file it comes from";
    }
}

/// The match a decision belongs to: what stands before the hyphen of its id.
#[must_use]
pub fn match_of(decision_id: &str) -> &str {
    decision_id.split_once('-').map_or(decision_id, |(id, _)| id)
}

impl SourceRow {
    /// Whether the file should have held a match and gave none: what counts as rejected.
    #[must_use]
    pub fn is_rejected(&self) -> bool {
        self.status == "quarantined"
    }

    /// In what order what became of files is told, the gravest first: what was rejected, what could not be read, what is
    /// damaged in part, what is not read; what is only spare comes last.
    #[must_use]
    pub fn gravity(&self) -> usize {
        const GRAVEST_FIRST: [&str; 8] =
            ["quarantined", "partial", "ok", "unsupported", "unrated", "ignored", "superseded", "duplicate"];
        let is_kept_back = matches!(self.reason.as_deref(), Some("unreadable" | "unlisted" | "changing"));
        let rank = GRAVEST_FIRST.iter().position(|status| self.status == *status).map_or(0, |at| 2 * at);
        if is_kept_back { 1 } else { rank }
    }

    /// Whether the file is there and the system does not let it be read.
    #[must_use]
    pub fn is_unread(&self) -> bool {
        self.reason.as_deref() == Some("unreadable")
    }
}
