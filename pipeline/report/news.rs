//! What is new since the last night: the short section at the top of a season's and a player's page.
//!
//! It is made from the changes between two snapshots and is the one thing on a page that is no function of tonight's
//! inputs alone; so it is shown only where it was asked for, and an empty one leaves no trace on the page. A change that
//! no figure on the page would show (a step under two decimals, a comment) is no news.

use super::names::{NAME, shown};
use super::season::{event, score};
use super::{MatchPages, format, page_name_player, words};
use crate::tables::changes::{Changed, Changes, Level, Moved, Played, What};
use serde::Serialize;
use std::cmp::Reverse;

/// Matches and players that the section shows: it is to be read at a glance, and the page's own figures come next.
const SHOWN: usize = 6;

/// What is new, as text. The default is nothing.
#[derive(Clone, Debug, Default, Serialize)]
pub struct News {
    say: Vec<String>,
    matches: Vec<MatchNews>,
    more: String,
    players: Vec<PlayerNews>,
    players_more: String,
}

#[derive(Clone, Debug, Serialize)]
struct MatchNews {
    what: &'static str,
    players: String,
    href: Option<String>,
    date: String,
    event: String,
    score: String,
    prs: String,
    /// No longer in the tables.
    gone: bool,
}

#[derive(Clone, Debug, Serialize)]
struct PlayerNews {
    name: String,
    /// Null for a player who is no longer there.
    href: Option<String>,
    pr: String,
    decisions: String,
    matches: String,
}

impl News {
    /// Of a season.
    #[must_use]
    pub fn of_season(changes: &Changes, pages: MatchPages<'_>) -> Self {
        let whose: Vec<&Moved> = changes.moved.iter().filter(is_seen).collect();
        let mut news = Self::of_matches(changes, pages, &|_| true);
        news.players = whose.iter().take(SHOWN).map(|moved| player(moved)).collect();
        news.players_more = more(whose.len(), news.players.len());
        news
    }

    /// Of one player's season.
    #[must_use]
    pub fn of_player(changes: &Changes, name: &str, pages: MatchPages<'_>) -> Self {
        let mut news =
            Self::of_matches(changes, pages, &|played| played.row.player_1 == name || played.row.player_2 == name);
        let own = changes.moved.iter().filter(|moved| moved.player == name && is_seen(moved));
        news.say.extend(own.flat_map(sentences));
        news
    }

    fn of_matches(changes: &Changes, pages: MatchPages<'_>, wanted: &dyn Fn(&Played) -> bool) -> Self {
        let of = |matches: &[Played]| -> Vec<Played> { matches.iter().filter(|m| wanted(m)).cloned().collect() };
        let (added, removed) = (of(&changes.added), of(&changes.removed));
        let seen = |changed: &&Changed| {
            !changed.what.contains(&What::Other) && (wanted(&changed.before) || wanted(&changed.after))
        };
        let changed: Vec<&Changed> = changes.changed.iter().filter(seen).collect();
        let mut lines: Vec<(&Played, MatchNews)> = Vec::new();
        lines.extend(latest(added.iter().collect()).into_iter().map(|m| (m, line("new", m, pages.link(&m.row)))));
        lines.extend(changed.iter().map(|c| (&c.after, changed_line(c, pages.link(&c.after.row)))));
        let total = lines.len() + removed.len();
        let mut matches: Vec<MatchNews> = lines.into_iter().map(|(_, line)| line).collect();
        matches.extend(latest(removed.iter().collect()).into_iter().map(|m| line("gone", m, None)));
        matches.truncate(SHOWN);
        let say = counts([(added.len(), "new"), (changed.len(), "changed"), (removed.len(), "gone")]);
        Self { more: more(total, matches.len()), matches, say, ..Self::default() }
    }
}

/// What is left of a cut list; all of it is further down on the page, or in the tables.
fn more(total: usize, shown: usize) -> String {
    match total.saturating_sub(shown) {
        0 => String::new(),
        left => format!("and {} more", format::size(left)),
    }
}

/// `Two matches are new. One is gone.`
fn counts(all: [(usize, &str); 3]) -> Vec<String> {
    let said = all.iter().filter(|(n, _)| *n > 0).map(|&(n, what)| {
        let n = i64::try_from(n).unwrap_or(i64::MAX);
        format!("{} {what}.", words::sentence(&words::counted(n, "match is", "matches are")))
    });
    let said: Vec<String> = said.collect();
    if said.is_empty() { said } else { vec![said.join(" ")] }
}

fn latest(mut matches: Vec<&Played>) -> Vec<&Played> {
    matches.sort_by_key(|played| (Reverse(played.row.date), played.row.match_id.clone()));
    matches
}

fn line(what: &'static str, played: &Played, href: Option<String>) -> MatchNews {
    let row = &played.row;
    MatchNews {
        what,
        players: format!("{} \u{2013} {}", shown(&row.player_1, NAME), shown(&row.player_2, NAME)),
        href,
        date: format::date(row.date),
        event: event(row),
        score: score(row),
        prs: prs(played),
        gone: what == "gone",
    }
}

fn changed_line(Changed { before, after, what }: &Changed, href: Option<String>) -> MatchNews {
    let why = if what.contains(&What::Primary) {
        "another analysis"
    } else if what.contains(&What::Figures) {
        "other figures"
    } else {
        "other names or data"
    };
    let (was, is) = (prs(before), prs(after));
    let prs = if was == is { is } else { step(&was, &is) };
    MatchNews { prs, ..line(why, after, href) }
}

fn prs(played: &Played) -> String {
    let pr = |seat: i64| format::pr(played.seats.get(&seat).and_then(|figures| figures.pr));
    format!("{} / {}", pr(1), pr(2))
}

/// `5.10 → 4.98`, or the one figure where nothing moved.
fn step(was: &str, is: &str) -> String {
    if was == is { is.to_owned() } else { format!("{was} \u{2192} {is}") }
}

/// What a page shows of a level.
fn figures(level: Option<&Level>) -> [String; 3] {
    level.map_or_else(
        || [(); 3].map(|()| format::ABSENT.to_owned()),
        |level| [format::pr(level.pr), format::count(level.decisions), format::count(level.matches)],
    )
}

/// Whether a page shows another figure than before.
fn is_seen(moved: &&Moved) -> bool {
    figures(moved.before.as_ref()) != figures(moved.after.as_ref())
}

fn player(moved: &Moved) -> PlayerNews {
    let (was, is) = (figures(moved.before.as_ref()), figures(moved.after.as_ref()));
    PlayerNews {
        name: shown(&moved.player, NAME),
        href: moved.after.as_ref().map(|_| page_name_player(&moved.player)),
        pr: step(&was[0], &is[0]),
        decisions: step(&was[1], &is[1]),
        matches: step(&was[2], &is[2]),
    }
}

/// `PR 5.10 → 4.98; decisions 200 → 260; matches 3 → 4.` Nothing of a player whose season begins: the page says it all.
fn sentences(moved: &Moved) -> Option<String> {
    let (was, is) = (figures(Some(moved.before.as_ref()?)), figures(moved.after.as_ref()));
    let names = ["PR", "decisions", "matches"];
    let steps = names.iter().zip(was.iter().zip(&is)).filter(|(_, (was, is))| was != is);
    let steps: Vec<String> = steps.map(|(name, (was, is))| format!("{name} {}", step(was, is))).collect();
    Some(format!("{}.", words::sentence(&steps.join("; "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(pr: f64, decisions: i64) -> Option<Level> {
        Some(Level { matches: 3, decisions, pr: Some(pr) })
    }

    fn moved(before: Option<Level>, after: Option<Level>) -> Changes {
        let moved = Moved { season: "2026".to_owned(), player: "A".to_owned(), before, after };
        Changes { moved: vec![moved], ..Changes::default() }
    }

    #[test]
    fn figures_that_moved_are_told_with_both_ends_and_a_step_under_two_decimals_is_no_news() {
        let said = News::of_player(&moved(level(5.1, 200), level(4.98, 260)), "A", MatchPages::All).say;
        assert_eq!(said, ["PR 5.10 \u{2192} 4.98; decisions 200 \u{2192} 260."]);
        let hidden = moved(level(5.1, 200), level(5.100_4, 200));
        assert!(News::of_player(&hidden, "A", MatchPages::All).say.is_empty());
        assert!(News::of_season(&hidden, MatchPages::All).players.is_empty());
        assert!(News::of_player(&moved(level(5.1, 200), level(4.98, 260)), "B", MatchPages::All).say.is_empty());
    }

    #[test]
    fn a_long_list_is_cut_and_says_so() {
        let played = |id: usize| Played {
            row: crate::tables::facts::MatchRow { match_id: format!("{id:016}"), ..Default::default() },
            primary: None,
            seats: std::collections::BTreeMap::new(),
        };
        let changes = Changes { added: (0..SHOWN + 5).map(played).collect(), ..Changes::default() };
        let news = News::of_season(&changes, MatchPages::All);
        assert_eq!((news.matches.len(), news.more.as_str()), (SHOWN, "and 5 more"));
        assert_eq!(news.say, ["11 matches are new."]);
    }
}
