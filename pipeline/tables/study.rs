//! What people did away from the table: study actions and treated positions (`study-sources.md` 1).

use super::row::{Day, table};

table! {
    /// One study action.
    StudyEventRow = "study_events", key ["source", "source_file", "index"], "One row per study action of the study sources." {
        season "season": String, "", "always `all`: study belongs to no season";
        source "source": String, "", "`log`, `blunderdb`, `anki`";
        source_file "source_file": String, "", "file name without its folder";
        index "index": i64, "", "order in the file, from 0";
        player "player": Option<String>, "", "whose study it is, canonical; null = unknown, the event is unused";
        key_full "key_full": Option<String>, "", "position key; null when the position could not be read or joined";
        key_relaxed "key_relaxed": Option<String>, "", "its weak form";
        raw_id "raw_id": String, "", "what the source held";
        at_utc "at_utc": Option<i64>, "s", "seconds since 1970 UTC; null when only a day is known";
        day "day": Day, "day", "UTC day";
        action "action": String, "", "`mark`, `review`, `quiz`, `lesson`, `other`";
        grade "grade": Option<i64>, "", "1 to 4 for reviews";
        error_mp "error_mp": Option<i64>, "mpt", "equity lost in a quiz answer";
    }
}

table! {
    /// One reason why a position counts as treated.
    TreatedPositionRow = "treated_positions", key ["source", "source_file", "index"], "One row per treated position and reason." {
        season "season": String, "", "always `all`";
        source "source": String, "", "`log`, `blunderdb`, `anki`, `comment`";
        source_file "source_file": String, "", "file name without its folder";
        index "index": i64, "", "order in the file, from 0";
        player "player": Option<String>, "", "whose it is, canonical";
        key_full "key_full": Option<String>, "", "position key";
        key_relaxed "key_relaxed": Option<String>, "", "its weak form";
        raw_id "raw_id": String, "", "what the source held";
        reason "reason": String, "", "`comment`, `card`, `collection`, `mark`, `lesson`, `review`, `quiz`";
        detail "detail": Option<String>, "", "deck, collection, first characters of the comment";
        since "since": Option<Day>, "day", "when known";
    }
}
