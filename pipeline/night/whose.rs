//! Which player somebody means who writes a name: the name itself, the way the pages show it, or the name of his page.
//!
//! Pages cut long names and replace characters that act, so what is copied from one may be no name of a file; where it is
//! shown for one player alone it is his. Any other name is nobody's, and the nearest one is only offered.

use super::status::terminal;
use crate::ingest::identity::fold;
use crate::report;
use crate::spelling::nearest;
use std::collections::{BTreeMap, BTreeSet};

/// Names that are offered for one that is not known.
const OFFERED: usize = 5;

/// The players there are, by their canonical names.
#[derive(Clone, Debug, Default)]
pub struct Players {
    names: BTreeSet<String>,
    /// As a page shows it, and the page's name -> the name; `None` where two are shown alike.
    shown: BTreeMap<String, Option<String>>,
}

impl Players {
    /// From their canonical names.
    #[must_use]
    pub fn of(names: BTreeSet<String>) -> Self {
        let mut shown: BTreeMap<String, Option<String>> = BTreeMap::new();
        for name in &names {
            for word in [report::shown_name(name), report::page_name_player(name)] {
                shown.entry(word).and_modify(|known| *known = None).or_insert_with(|| Some(name.clone()));
            }
        }
        Self { names, shown }
    }

    /// Whether a player is called just so.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The one who is meant.
    #[must_use]
    pub fn meant(&self, written: &str) -> Option<&str> {
        let exact = self.names.get(written).map(String::as_str);
        let page = written.rsplit('/').next().unwrap_or_default();
        exact.or_else(|| self.shown.get(written).or_else(|| self.shown.get(page))?.as_deref())
    }

    /// `; did you mean "Hollow Beck"?`, or nothing where no name is near.
    #[must_use]
    pub fn offer(&self, written: &str) -> String {
        let folded = fold(written);
        let holds = |name: &&String| !folded.is_empty() && fold(name).contains(&folded);
        let mut near: Vec<&str> = self.names.iter().filter(holds).take(OFFERED).map(String::as_str).collect();
        if near.is_empty() {
            let folds: BTreeMap<String, &str> = self.names.iter().map(|name| (fold(name), name.as_str())).collect();
            let close = nearest(&folded, folds.keys().map(String::as_str)).and_then(|fold| folds.get(fold));
            near.extend(close.filter(|_| !folded.is_empty()));
        }
        if near.is_empty() {
            return String::new();
        }
        let quoted: Vec<String> = near.into_iter().map(|name| format!("{:?}", terminal(name))).collect();
        format!("; did you mean {}?", quoted.join(" or "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_as_a_page_shows_it_is_his_unless_two_are_shown_alike() {
        let long = |end: &str| format!("{}{end}", "x".repeat(70));
        let names = ["Hollow Beck", "a\u{202e}b", "\u{5d0}\u{5d1}", &long("1"), &long("2")];
        let players = Players::of(names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(players.meant("Hollow Beck"), Some("Hollow Beck"));
        assert_eq!(players.meant("a\u{fffd}b"), Some("a\u{202e}b"));
        assert_eq!(players.meant("\u{2068}\u{5d0}\u{5d1}\u{2069}"), Some("\u{5d0}\u{5d1}"));
        assert_eq!(players.meant(&format!("2026/{}", report::page_name_player("Hollow Beck"))), Some("Hollow Beck"));
        assert_eq!(players.meant(&report::shown_name(&long("1"))), None, "two are shown so");
        assert_eq!(players.meant("hollow beck"), None, "names that fold alike are only suggested");
    }

    #[test]
    fn the_nearest_name_is_offered_and_none_where_none_is_near() {
        let players = Players::of(BTreeSet::from(["Hollow Beck".to_owned(), "Ada".to_owned()]));
        assert_eq!(players.offer("HOLLOW"), "; did you mean \"Hollow Beck\"?");
        assert_eq!(players.offer("Holow Beck-2"), "; did you mean \"Hollow Beck\"?");
        assert_eq!(players.offer("Somebody Else"), "");
        assert_eq!(players.offer(""), "");
    }
}
