//! The matches of a season with what belongs to each, by their places among the season's matches.
//!
//! Players, events and footers ask for the same few rows again and again: here each is looked for once. What belongs to a
//! match is hashed once too ([`Matches::seal`]), and the keys of pages hang on the seals of the matches they show.

use super::season_rows;
use crate::night::fault::NightFault;
use crate::tables::digest::Digest;
use crate::tables::facts::{AnalysisRow, MatchRow, SourceRow};
use crate::tables::marts::SeatRow;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

/// The matches of a season. A place is that of a match among [`Matches::rows`].
pub(super) struct Matches {
    /// These three sorted by match.
    pub(super) rows: Vec<MatchRow>,
    pub(super) figures: Vec<SeatRow>,
    analyses: Vec<AnalysisRow>,
    /// Of each match.
    beside: Vec<Beside>,
    depths: Depths,
    by_player: BTreeMap<String, Vec<usize>>,
    by_event: BTreeMap<String, Vec<usize>>,
}

/// What belongs to a match.
struct Beside {
    figures: Range<usize>,
    analyses: Range<usize>,
    /// Files that hold it.
    files: i64,
    seal: String,
}

impl Matches {
    /// Reads them; the sources say which files hold them.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub(super) fn read((snapshot, season): (&Path, &str), sources: &[SourceRow]) -> Result<Self, NightFault> {
        let (rows, (figures, analyses)) = rayon::join(
            || season_rows(snapshot, season),
            || rayon::join(|| season_rows(snapshot, season), || season_rows(snapshot, season)),
        );
        Ok(Self::of(rows?, (figures?, analyses?), sources))
    }

    fn of(rows: Vec<MatchRow>, (figures, analyses): (Vec<SeatRow>, Vec<AnalysisRow>), sources: &[SourceRow]) -> Self {
        let mut files: BTreeMap<&str, i64> = BTreeMap::new();
        for id in sources.iter().filter_map(|row| row.match_id.as_deref()) {
            *files.entry(id).or_default() += 1;
        }
        let of_figures = stretches(&rows, &figures, |row| &row.match_id);
        let of_analyses = stretches(&rows, &analyses, |row| &row.match_id);
        let seal = |((row, figures_of), analyses_of): ((&MatchRow, Range<usize>), Range<usize>)| {
            let files = files.get(row.match_id.as_str()).copied().unwrap_or_default();
            let mut seal = Digest::default();
            seal.rows(std::slice::from_ref(row))
                .rows(&figures[figures_of.clone()])
                .rows(&analyses[analyses_of.clone()]);
            let seal = seal.text(&files.to_string()).clone().finish();
            Beside { figures: figures_of, analyses: analyses_of, files, seal }
        };
        let beside: Vec<Beside> = rows.par_iter().zip(of_figures).zip(of_analyses).map(seal).collect();
        let (mut by_player, mut by_event) = (BTreeMap::new(), BTreeMap::new());
        for (at, (row, beside)) in rows.iter().zip(&beside).enumerate() {
            for player in figures[beside.figures.clone()].iter().filter_map(|row| row.player.as_deref()) {
                note(&mut by_player, (player, at));
            }
            if let Some(event) = &row.event {
                note(&mut by_event, (event, at));
            }
        }
        Self { depths: Depths::of(&analyses), rows, figures, analyses, beside, by_player, by_event }
    }

    /// The places of all.
    pub(super) fn all(&self) -> Vec<usize> {
        (0..self.rows.len()).collect()
    }

    /// The places of the matches that a player has figures of.
    pub(super) fn of_player(&self, name: &str) -> &[usize] {
        self.by_player.get(name).map_or(&[], Vec::as_slice)
    }

    /// The places of the matches of an event.
    pub(super) fn of_event(&self, event: &str) -> &[usize] {
        self.by_event.get(event).map_or(&[], Vec::as_slice)
    }

    /// The matches at these places.
    pub(super) fn at<'a>(&'a self, places: &'a [usize]) -> impl Iterator<Item = &'a MatchRow> {
        places.iter().filter_map(|&at| self.rows.get(at))
    }

    /// Both seats' figures of a match.
    pub(super) fn figures_of(&self, at: usize) -> &[SeatRow] {
        self.beside.get(at).and_then(|beside| self.figures.get(beside.figures.clone())).unwrap_or_default()
    }

    /// Who analysed a match.
    pub(super) fn analyses_of(&self, at: usize) -> &[AnalysisRow] {
        self.beside.get(at).and_then(|beside| self.analyses.get(beside.analyses.clone())).unwrap_or_default()
    }

    /// Digest of the match, its figures, who analysed it and in how many files.
    pub(super) fn seal(&self, at: usize) -> &str {
        self.beside.get(at).map_or("", |beside| &beside.seal)
    }

    /// How many files hold these matches.
    pub(super) fn files(&self, places: &[usize]) -> i64 {
        places.iter().filter_map(|&at| self.beside.get(at)).map(|beside| beside.files).sum()
    }

    /// `gnubg: gnuBG 2-ply, gnuBG 0-ply`: one entry an engine, of the primary analyses of these matches.
    pub(super) fn engines_depths(&self, places: &[usize]) -> Vec<String> {
        self.depths.told(places.iter().filter_map(|&at| self.beside.get(at)).map(|beside| &beside.analyses))
    }
}

/// The labels of depths, each kept once: a season has a handful, and every footer tells some of them.
struct Depths {
    /// Engine and label; an engine that tells no depth has one without.
    labels: Vec<(String, Option<String>)>,
    /// Those of each analysis, by their places among the labels; of one that is not primary, none.
    of: Vec<Vec<usize>>,
}

impl Depths {
    fn of(analyses: &[AnalysisRow]) -> Self {
        let mut known: BTreeMap<(&str, Option<&str>), usize> = BTreeMap::new();
        let mut of = Vec::with_capacity(analyses.len());
        for row in analyses {
            let mut own = Vec::new();
            if row.primary && row.engine != "none" {
                let mixes = row.depths.iter().flat_map(|depths| depths.split("; "));
                let labels = mixes.map(|mix| Some(mix.rsplit_once(": ").map_or(mix, |(label, _)| label)));
                for label in labels.chain([None]) {
                    let next = known.len();
                    own.push(*known.entry((row.engine.as_str(), label)).or_insert(next));
                }
            }
            of.push(own);
        }
        let mut labels = vec![(String::new(), None); known.len()];
        for ((engine, label), at) in known {
            labels[at] = (engine.to_owned(), label.map(str::to_owned));
        }
        Self { labels, of }
    }

    fn told<'a>(&self, analyses: impl Iterator<Item = &'a Range<usize>>) -> Vec<String> {
        let mut met = vec![false; self.labels.len()];
        for &label in analyses.filter_map(|range| self.of.get(range.clone())).flatten().flatten() {
            met[label] = true;
        }
        let met = self.labels.iter().zip(met).filter(|(_, met)| *met);
        let mut engines: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for ((engine, label), _) in met {
            engines.entry(engine).or_default().extend(label.as_deref());
        }
        let told = |(engine, labels): (&str, BTreeSet<&str>)| {
            format!("{engine}: {}", labels.into_iter().collect::<Vec<_>>().join(", "))
        };
        engines.into_iter().map(told).collect()
    }
}

/// Which of these rows, sorted by match as the matches are, belong to each match.
fn stretches<R>(matches: &[MatchRow], rows: &[R], match_id: fn(&R) -> &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let stretch = |of: &MatchRow| {
        let before = rows[at..].iter().take_while(|row| match_id(row) < of.match_id.as_str()).count();
        let first = at + before;
        at = first + rows[first..].iter().take_while(|row| match_id(row) == of.match_id).count();
        first..at
    };
    matches.iter().map(stretch).collect()
}

/// A match of somebody or something: places rise, and each is noted once.
fn note(places: &mut BTreeMap<String, Vec<usize>>, (of, at): (&str, usize)) {
    match places.get_mut(of) {
        Some(noted) if noted.last() == Some(&at) => {}
        Some(noted) => noted.push(at),
        None => drop(places.insert(of.to_owned(), vec![at])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches() -> Matches {
        let row = |id: &str, event: Option<&str>| MatchRow {
            match_id: id.to_owned(),
            event: event.map(str::to_owned),
            ..MatchRow::default()
        };
        let figure = |id: &str, player: &str| SeatRow {
            match_id: id.to_owned(),
            player: Some(player.to_owned()),
            ..SeatRow::default()
        };
        let analysis = |id: &str, engine: &str, depths: Option<&str>, primary| AnalysisRow {
            match_id: id.to_owned(),
            engine: engine.to_owned(),
            depths: depths.map(str::to_owned),
            primary,
            ..AnalysisRow::default()
        };
        let source = |id: Option<&str>| SourceRow { match_id: id.map(str::to_owned), ..SourceRow::default() };
        let figures = vec![figure("a", "Ada"), figure("a", "Bo"), figure("c", "Ada"), figure("c", "Ada")];
        let analyses = vec![
            analysis("a", "xg", Some("XG Roller: 3; 2-ply: 40"), true),
            analysis("a", "gnubg", Some("0-ply: 43"), false),
            analysis("b", "none", None, true),
            analysis("c", "xg", Some("4-ply: 1; 2-ply: 9"), true),
            analysis("d", "bgblitz", None, true),
        ];
        let rows = [("a", Some("Lantern Open")), ("b", None), ("c", Some("Lantern Open")), ("d", None)];
        let sources = [source(Some("a")), source(None), source(Some("a")), source(Some("d"))];
        Matches::of(rows.map(|(id, event)| row(id, event)).into(), (figures, analyses), &sources)
    }

    #[test]
    fn what_belongs_to_a_match_is_found_by_its_place() {
        let all = matches();
        assert_eq!(all.of_player("Ada"), [0, 2], "a match against himself counts once");
        assert_eq!((all.of_player("Bo"), all.of_player("Cy")), (&[0][..], &[][..]));
        assert_eq!(all.of_event("Lantern Open"), [0, 2]);
        assert_eq!([0, 1, 2, 3, 4].map(|at| all.figures_of(at).len()), [2, 0, 2, 0, 0]);
        assert_eq!([0, 1, 2, 3, 4].map(|at| all.analyses_of(at).len()), [2, 1, 1, 1, 0]);
        assert_eq!([all.files(&[0]), all.files(&[1, 2]), all.files(&[0, 3])], [2, 0, 3]);
    }

    #[test]
    fn a_footer_tells_each_engine_of_the_primary_analyses_once_with_its_depths_in_order() {
        let all = matches();
        assert_eq!(all.engines_depths(&[0, 2]), ["xg: 2-ply, 4-ply, XG Roller"]);
        assert_eq!(all.engines_depths(&[1]), Vec::<String>::new());
        assert_eq!(all.engines_depths(&[2, 3]), ["bgblitz: ", "xg: 2-ply, 4-ply"]);
    }

    #[test]
    fn a_seal_is_another_when_anything_of_the_match_is() {
        let (all, mut other) = (matches(), matches());
        assert_eq!(all.seal(0), other.seal(0));
        assert_ne!(all.seal(0), all.seal(2));
        other.figures[1].decisions += 1;
        let sealed = |files: &[&str]| {
            let sources: Vec<SourceRow> =
                files.iter().map(|id| SourceRow { match_id: Some((*id).to_owned()), ..SourceRow::default() }).collect();
            Matches::of(other.rows.clone(), (other.figures.clone(), other.analyses.clone()), &sources)
        };
        let changed = sealed(&["a", "a", "d"]);
        assert_ne!(all.seal(0), changed.seal(0));
        assert_eq!(all.seal(2), changed.seal(2));
        assert_ne!(all.seal(3), sealed(&["a", "a"]).seal(3));
    }
}
