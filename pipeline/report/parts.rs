//! What pages share: head, footer, the row of a PR with its bar, the words of coverage.

use super::charts::Scale;
use super::markup::Markup;
use super::names::{NAME, shown};
use super::{ACADEMY, Colophon, INDEX, QUALITY, format, words};
use serde::Serialize;

/// A link of the running head; `href` null = nothing to link to.
#[derive(Debug, Serialize)]
pub(super) struct Link {
    pub(super) label: String,
    pub(super) href: Option<String>,
}

/// Title block and running head.
#[derive(Debug, Serialize)]
pub(super) struct Head {
    /// Of the window.
    pub(super) title: String,
    pub(super) description: String,
    /// The pages around this one.
    pub(super) links: Vec<Link>,
    /// Label of this page in the running head.
    pub(super) here: String,
    pub(super) kicker: String,
    pub(super) heading: String,
    pub(super) standfirst: String,
}

/// The season's index, for the running head of another page.
pub(super) fn to_index(season: &str) -> Link {
    Link { label: format!("Season {}", shown(season, NAME)), href: Some(INDEX.to_owned()) }
}

/// The Academy's page, for the running head.
pub(super) fn to_academy() -> Link {
    Link { label: "Academy".to_owned(), href: Some(ACADEMY.to_owned()) }
}

/// The page of files, for the running head.
pub(super) fn to_quality() -> Link {
    Link { label: "Files".to_owned(), href: Some(QUALITY.to_owned()) }
}

/// The lines of the footer (`design.md` 6).
pub(super) fn foot(colophon: &Colophon) -> Vec<String> {
    let data_to = colophon
        .data_to
        .map_or_else(|| "no dated match".to_owned(), |day| format!("data to {}", format::date(Some(day))));
    let engines = match colophon.engines_depths.as_slice() {
        [] => "none".to_owned(),
        some => some.join("; "),
    };
    vec![
        format!(
            "{} source {} \u{b7} inputs {} \u{b7} {data_to} \u{b7} Portes {}",
            format::count(colophon.sources),
            if colophon.sources == 1 { "file" } else { "files" },
            colophon.digest12,
            colophon.product_version,
        ),
        format!(
            "Match equity table {}, extended by Zadeh\u{2019}s formula to 64 points; its copyright notice ships with the program. Analysis: {engines}. Error from {} mpt, blunder from {} mpt; intervals {}, from 3 matches or games; a no double counts when its equity is above 0 and less than 0.200 above doubling; difficulty \u{3c4} = 0.025; L7 is scaled to 7 points.",
            colophon.met, colophon.thresholds.error, colophon.thresholds.blunder, colophon.interval,
        ),
    ]
}

/// One PR on the common scale.
#[derive(Debug, Serialize)]
pub(super) struct LevelRow {
    pub(super) name: String,
    pub(super) href: Option<String>,
    /// `x` or `o`: the player's checker on the page; empty without.
    pub(super) mark: &'static str,
    pub(super) decisions: String,
    pub(super) pr: String,
    /// The interval, or why there is none.
    pub(super) interval: String,
    pub(super) thin: bool,
    pub(super) bar: Markup,
}

/// A PR as the marts hold it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) pr: Option<f64>,
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
    pub(super) units: i64,
    pub(super) decisions: i64,
}

/// Units an interval needs (`metrics.md` 9.4).
const UNITS: i64 = 3;

impl Level {
    /// Both ends, where there is an interval.
    pub(super) fn ends(&self) -> Option<[f64; 2]> {
        Some([self.low?, self.high?])
    }

    /// The interval, or why there is none; `unit` in the plural.
    pub(super) fn interval(&self, unit: &str) -> String {
        match (self.pr, self.ends()) {
            (_, Some([low, high])) => format::interval(Some(low), Some(high), 2),
            (None, None) => "no decision".to_owned(),
            (Some(_), None) if self.units < UNITS => format!("under 3 {unit}"),
            (Some(_), None) => format!("{unit} agree"),
        }
    }

    /// The row on a scale.
    pub(super) fn row(&self, name: String, unit: &str, scale: Scale) -> LevelRow {
        LevelRow {
            name,
            href: None,
            mark: "",
            decisions: format::count(self.decisions),
            pr: format::pr(self.pr),
            interval: self.interval(unit),
            thin: self.ends().is_none(),
            bar: scale.interval(self.pr, self.ends()),
        }
    }
}

/// What was counted and what was not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coverage {
    pub(super) counted: i64,
    pub(super) priced: i64,
    pub(super) forced: i64,
    pub(super) outside: i64,
    pub(super) unrated: i64,
    pub(super) uncounted_errors: i64,
    pub(super) uncounted_mpt: i64,
}

impl Coverage {
    /// The coverage line (`product-views.md` 1).
    pub(super) fn line(&self) -> String {
        let total = self.counted + self.forced + self.outside + self.unrated;
        let mut line = format!(
            "{} decisions: {} counted, {} forced, {} no doubles outside the doubling window, {} unrated.",
            format::count(total),
            format::count(self.counted),
            format::count(self.forced),
            format::count(self.outside),
            if self.unrated == 0 { "none".to_owned() } else { format::count(self.unrated) },
        );
        match self.counted {
            0 => {}
            n if n == self.priced => line.push_str(" All of the counted convert to MWC."),
            _ => line.push_str(&format!(" {} of the counted convert to MWC.", format::count(self.priced))),
        }
        if self.uncounted_errors > 0 {
            line.push_str(&format!(
                " {} in no figure, because the doubler was not ahead: {} mpt in all.",
                words::sentence(&words::counted(self.uncounted_errors, "missed double is", "missed doubles are")),
                format::count(self.uncounted_mpt),
            ));
        }
        line
    }
}

/// The columns that every pool of figures has, taken out of a row of a mart.
macro_rules! level_of {
    ($row:expr) => {
        $crate::report::parts::Level {
            pr: $row.pr,
            low: $row.pr_low,
            high: $row.pr_high,
            units: $row.pr_units,
            decisions: $row.decisions,
        }
    };
}
macro_rules! coverage_of {
    ($row:expr) => {
        $crate::report::parts::Coverage {
            counted: $row.decisions,
            priced: $row.priced,
            forced: $row.forced,
            outside: $row.outside_window,
            unrated: $row.unrated,
            uncounted_errors: $row.uncounted_errors,
            uncounted_mpt: $row.uncounted_mpt,
        }
    };
}
pub(super) use {coverage_of, level_of};

/// A figure with a name, one value a player.
#[derive(Debug, Serialize)]
pub(super) struct Figure {
    pub(super) name: &'static str,
    /// Anchor; empty without.
    pub(super) id: &'static str,
    /// Part of the figure above it.
    pub(super) part: bool,
    pub(super) values: Vec<Value>,
}

/// A value and its interval or reason.
#[derive(Debug, Serialize)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) aside: String,
}

/// A value alone.
pub(super) fn plain(text: String) -> Value {
    Value { text, aside: String::new() }
}

/// L7 with its interval.
pub(super) fn l7(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> Value {
    Value { text: format::l7(value), aside: format::l7_interval(low, high) }
}

/// Strength against the engine with the bounds that follow from those of L7, out of a row of a mart.
macro_rules! elo_of {
    ($row:expr) => {{
        let fixed = |x| $crate::report::format::fixed(x, 0);
        let aside = match ($row.elo_low, $row.elo_high) {
            (Some(low), Some(high)) => format!("[{} to {}]", fixed(low), fixed(high)),
            _ => String::new(),
        };
        $crate::report::parts::Value { text: $crate::report::format::elo($row.elo_vs_engine, $row.elo_floored), aside }
    }};
}
pub(super) use elo_of;

/// What is left of a cut list.
pub(super) fn more(total: usize, shown: usize) -> String {
    match total.saturating_sub(shown) {
        0 => String::new(),
        left => format!("and {} more in the tables", format::count(i64::try_from(left).unwrap_or(i64::MAX))),
    }
}
