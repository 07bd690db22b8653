//! gnuBG's printed statistics (`*.stats.txt`), line by line, against the same figures computed from the record.

use super::calculator::{Side, Sides, Sum};
use portes::game::Length;

/// A printed table: `match`, or `game 1` and on.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) title: String,
    pub(super) lines: Vec<Line>,
}

/// A printed line: which table it stands in, its label, White's and Black's text.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) table: String,
    pub(super) label: String,
    pub(super) values: [String; 2],
}

/// Splits a print into its sections; columns count characters.
pub(super) fn sections(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut table = String::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("== ") {
            sections.push(Section { title: title.to_owned(), lines: Vec::new() });
            continue;
        }
        let cut =
            |from: usize, to: usize| line.chars().skip(from).take(to - from).collect::<String>().trim().to_owned();
        if line.ends_with(" statistics") && !line.starts_with(' ') {
            table = line.trim_end_matches(" statistics").to_owned();
        } else if line.chars().count() > 42 {
            let line = Line { table: table.clone(), label: cut(0, 40), values: [cut(40, 64), cut(64, 200)] };
            sections.last_mut().unwrap().lines.push(line);
        }
    }
    sections
}

/// What a figure may differ by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figure {
    pub(super) value: f64,
    pub(super) slack: f64,
}

const fn exact(count: i64) -> Figure {
    Figure { value: count as f64, slack: 0.0 }
}

const fn near(value: f64, slack: f64) -> Figure {
    Figure { value, slack }
}

/// The units of a print: MWC in percent, or points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Print {
    length: Length,
}

impl Print {
    pub(super) const fn of(length: Length) -> Self {
        Self { length }
    }

    fn percent(self) -> f64 {
        if self.length == Length::Money { 1.0 } else { 100.0 }
    }

    /// Errors are printed negative.
    fn error(self, sum: Sum) -> Vec<Figure> {
        vec![near(-sum.emg, 0.001), near(-sum.unit * self.percent(), 0.002)]
    }

    fn luck(self, sum: Sum) -> Vec<Figure> {
        vec![near(sum.emg, 0.002), near(sum.unit * self.percent(), 0.01)]
    }

    /// Per decision: thousandths of EMG, and MWC in percent or points.
    fn rate(self, sum: Sum, decisions: i64) -> Vec<Figure> {
        let by = if decisions == 0 { 0.0 } else { 1.0 / decisions as f64 };
        vec![near(sum.emg * by * 1000.0, 0.051), near(sum.unit * by * self.percent(), 0.002)]
    }

    /// The figures of a line, for one player; `None` = a line of words, or one that is not reproduced.
    pub(super) fn figures(self, line: &Line, sides: &Sides, player: usize) -> Option<Vec<Figure>> {
        let (side, other) = (&sides[player], &sides[1 - player]);
        let label = line.label.split(" (").next().unwrap_or_default();
        let label = label.strip_suffix(" EMG").or(label.strip_suffix(" mEMG")).unwrap_or(label);
        let slack = side.cube_ties.min(1) as f64;
        let kind = |kind: usize| {
            let (count, sum) = side.kinds[kind];
            let mut figures = vec![Figure { value: count as f64, slack }];
            figures.extend(self.error(sum));
            Some(figures)
        };
        let luck_tie = side.luck_ties.min(1) as f64;
        let roll = |mark: usize| Some(vec![Figure { value: side.rolls[mark] as f64, slack: luck_tie }]);
        let one = |figure: Figure| Some(vec![figure]);
        match (line.table.as_str(), label) {
            (_, "Total moves") => one(exact(side.plays)),
            (_, "Unforced moves") => one(exact(side.unforced)),
            (_, "Unmarked moves") => one(exact(side.marks[0])),
            (_, "Moves marked doubtful") => one(exact(side.marks[1])),
            (_, "Moves marked bad") => one(exact(side.marks[2])),
            (_, "Moves marked very bad") => one(exact(side.marks[3])),
            ("Chequerplay", "Error total") => Some(self.error(side.checker)),
            ("Chequerplay", "Error rate") => Some(self.rate(negative(side.checker), side.unforced)),
            (_, "Rolls marked very lucky") => roll(4),
            (_, "Rolls marked lucky") => roll(3),
            (_, "Rolls unmarked") => roll(2),
            (_, "Rolls marked unlucky") => roll(1),
            (_, "Rolls marked very unlucky") => roll(0),
            (_, "Luck total") => Some(self.luck(side.luck)),
            (_, "Luck rate") => Some(self.rate(side.luck, side.plays)),
            (_, "Total cube decisions") => one(exact(side.cubes)),
            (_, "Close or actual cube decisions") => one(exact(side.close)),
            (_, "Doubles") => one(exact(side.doubles)),
            (_, "Takes") => one(exact(side.takes)),
            (_, "Passes") => one(exact(side.passes)),
            (_, "Missed doubles below CP") => kind(0),
            (_, "Missed doubles above CP") => kind(1),
            (_, "Wrong doubles below DP") => kind(2),
            (_, "Wrong doubles above TG") => kind(3),
            (_, "Wrong takes") => kind(4),
            (_, "Wrong passes") => kind(5),
            ("Cube", "Error total") => Some(self.error(side.cube())),
            ("Cube", "Error rate") => Some(self.rate(negative(side.cube()), side.close)),
            ("Overall", "Error total") => Some(self.error(both(side))),
            ("Overall", "Error rate") => Some(self.rate(negative(both(side)), side.unforced + side.close)),
            (_, "Snowie error rate") => Some(self.rate(negative(both(side)), side.plays + other.plays)[..1].to_vec()),
            (_, "Actual result") => one(near(side.result * self.percent(), 0.006)),
            (_, "Luck adjusted result") => {
                let adjusted = side.result - side.luck.unit + other.luck.unit;
                one(near(adjusted * self.percent(), 0.02))
            }
            _ => self.fibs(label, side),
        }
    }

    /// Rating losses in the scale of an online server.
    fn fibs(self, label: &str, side: &Side) -> Option<Vec<Figure>> {
        let points = f64::from(self.length.points());
        let rate = |sum: Sum, decisions: i64| if decisions == 0 { 0.0 } else { sum.emg / decisions as f64 };
        let checker = rate(side.checker, side.unforced) * (8798.0 + 25526.0 / points);
        let cube = rate(side.cube(), side.close) * (863.0 - 519.0 / points);
        match label {
            "Chequerplay errors rating loss" => Some(vec![near(checker, 0.06)]),
            "Cube errors rating loss" => Some(vec![near(cube, 0.06)]),
            "Error based abs. FIBS rating" => Some(vec![near(2050.0 - checker - cube, 0.1)]),
            _ => None,
        }
    }
}

fn both(side: &Side) -> Sum {
    let cube = side.cube();
    Sum { emg: side.checker.emg + cube.emg, unit: side.checker.unit + cube.unit }
}

fn negative(sum: Sum) -> Sum {
    Sum { emg: -sum.emg, unit: -sum.unit }
}

/// The numbers of a printed value: `6 (-0.553 ( -0.553%))` has three; `n/a` and words have none.
pub(super) fn numbers(value: &str) -> Vec<f64> {
    let words = value.split(|c: char| c.is_whitespace() || "()%[],".contains(c));
    words.filter(|word| !word.is_empty()).map_while(|word| word.parse().ok()).collect()
}
