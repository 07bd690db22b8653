//! What is filed tonight, in the one order there is, and the chain of its digests.
//!
//! An entry is a match, or a contest of a contest file, which is a match of its own. The order is that of
//! [`Contest::order`](crate::academy::contest::Contest::order) with the entry's id as last word, so it hangs on what was
//! played and never on a path, a time of arrival or a bucket. Entries of one month of one season stand together.

use super::played::Played;
use super::source;
use crate::academy::contest::Contest;
use crate::academy::contest_file;
use crate::config::Settings;
use crate::night::cache::REVISION;
use crate::night::status::terminal;
use crate::tables::digest::Digest;
use crate::tables::row::Day;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The part of a season's contests without a day.
const UNDATED: &str = "undated";
/// Characters of a day that name its month: `2026-03`.
const MONTH: usize = 7;

/// Place in the order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Turn {
    pub(super) season: String,
    pub(super) undated: bool,
    pub(super) date: Option<i32>,
    event: String,
    round: String,
    names: [String; 2],
    pub(super) match_id: String,
    seq: u32,
    id: String,
}

/// A match or a contest of a file.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) turn: Turn,
    /// Of all that the Academy reads of it.
    pub(super) digest: String,
    /// The contest, where it does not come from stored rows.
    pub(super) contest: Option<Box<Contest>>,
}

/// The entries of one month of one season, or those of it without a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Month {
    pub(super) season: String,
    /// Name of its parts.
    pub(super) label: String,
    pub(super) entries: Range<usize>,
    /// Nothing of its season follows.
    pub(super) closes_season: bool,
}

/// Everything, in order.
#[derive(Debug)]
pub(super) struct Programme {
    pub(super) entries: Vec<Entry>,
    /// The chain: link k stands for the first k entries.
    links: Vec<String>,
}

impl Programme {
    /// Puts matches and contests in order. A contest of a file that has the id of a match's
    /// game is that game, and the match counts.
    pub(super) fn of(matches: Vec<Played>, mut contests: Vec<Contest>, settings: &Settings) -> Self {
        let ids: BTreeSet<&str> = matches.iter().map(|row| row.match_id.as_str()).collect();
        contests.retain(|contest| {
            let is_known = is_game_of(&contest.contest_id, &ids);
            if is_known {
                left_out(contest);
            }
            !is_known
        });
        let mut entries: Vec<Entry> = matches.into_iter().map(Entry::of_match).collect();
        entries.extend(contests.into_iter().map(Entry::of_contest));
        entries.sort_by(|a, b| a.turn.cmp(&b.turn));
        let mut links = vec![first_link(settings)];
        for entry in &entries {
            let mut digest = Digest::default();
            digest.text(links.last().map_or("", String::as_str)).text(&entry.digest);
            links.push(digest.finish());
        }
        Self { entries, links }
    }

    pub(super) const fn len(&self) -> usize {
        self.entries.len()
    }

    /// What its entries are called.
    pub(super) fn called(&self) -> &'static str {
        let contests = self.entries.iter().filter(|entry| entry.contest.is_some()).count();
        match contests {
            0 => "matches",
            n if n == self.len() => "contests",
            _ => "matches and contests",
        }
    }

    /// The link that stands for the first `count` entries.
    pub(super) fn link(&self, count: usize) -> &str {
        self.links.get(count).map_or("", String::as_str)
    }

    /// Link -> number of entries it stands for.
    pub(super) fn places(&self) -> BTreeMap<&str, usize> {
        self.links.iter().map(String::as_str).zip(0..).collect()
    }

    /// The months, in order.
    pub(super) fn months(&self) -> Vec<Month> {
        let mut months: Vec<Month> = Vec::new();
        for (at, entry) in self.entries.iter().enumerate() {
            let (season, label) = (&entry.turn.season, entry.turn.label());
            match months.last_mut() {
                Some(month) if month.season == *season && month.label == label => month.entries.end = at + 1,
                before => {
                    if let Some(before) = before {
                        before.closes_season = before.season != *season;
                    }
                    let entries = at..at + 1;
                    months.push(Month { season: season.clone(), label, entries, closes_season: false });
                }
            }
        }
        if let Some(last) = months.last_mut() {
            last.closes_season = true;
        }
        months
    }

    /// Number of entries up to the last one with a day: where a night that only appends goes on.
    pub(super) fn head(&self) -> usize {
        self.entries.iter().rposition(|entry| !entry.turn.undated).map_or(0, |at| at + 1)
    }
}

/// Whether an id is that of a game of one of these matches.
fn is_game_of(contest_id: &str, matches: &BTreeSet<&str>) -> bool {
    contest_id.rsplit_once('-').is_some_and(|(id, _)| matches.contains(id))
}

fn left_out(contest: &Contest) {
    let (id, season) = (terminal(&contest.contest_id), terminal(&contest.schedule.season));
    tracing::warn!(
        "the Academy leaves out contest {id} of season {season}: it has the id of a match's game, and the match counts"
    );
}

/// What everything hangs on beside the contests: the program, the bylaws, the ratings players start with.
fn first_link(settings: &Settings) -> String {
    let mut digest = Digest::default();
    digest.text(REVISION).text(&format!("{:?}", settings.academy));
    digest.finish()
}

impl Turn {
    /// Name of its month's parts. A day that no calendar has is a month of its own.
    pub(super) fn label(&self) -> String {
        let Some(days) = self.date else { return UNDATED.to_owned() };
        let day = Day(days).to_string();
        match day.strip_prefix("day ") {
            Some(number) => format!("day{number}"),
            None => day.chars().take(MONTH).collect(),
        }
    }
}

impl Entry {
    fn of_match(row: Played) -> Self {
        let mut names = row.players;
        names.sort();
        Self {
            turn: Turn {
                season: row.season,
                undated: row.date.is_none(),
                date: row.date.map(|day| day.0),
                event: row.event,
                round: row.round,
                names,
                match_id: row.match_id,
                seq: 0,
                id: String::new(),
            },
            digest: row.digest,
            contest: None,
        }
    }

    fn of_contest(contest: Contest) -> Self {
        let mut names = [contest.first.clone(), contest.second.clone()];
        names.sort();
        let schedule = &contest.schedule;
        let mut digest = Digest::default();
        digest.text(&contest_file::line(&contest));
        Self {
            turn: Turn {
                season: schedule.season.clone(),
                undated: schedule.date.is_none(),
                date: schedule.date.map(|date| source::day(date).0),
                event: schedule.event.clone(),
                round: schedule.round.clone(),
                names,
                match_id: schedule.match_id.clone(),
                seq: schedule.seq,
                id: contest.contest_id.clone(),
            },
            digest: digest.finish(),
            contest: Some(Box::new(contest)),
        }
    }

    /// What it goes by: the id of the match, or that of the contest.
    pub(super) fn id(&self) -> &str {
        if self.contest.is_some() { &self.turn.id } else { &self.turn.match_id }
    }
}
