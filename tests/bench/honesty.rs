//! How often a 95 % interval holds the truth, and how often a verdict cries wolf on a player who does not change.
//!
//! The units are real or invented. Real ones are the matches of the sample season, a seat each: drawn again and again,
//! with replacement, their truth is the ratio of all of them together. Invented ones are skewed: most matches go well,
//! few go very badly. The intervals and the verdicts are the program's own; everything is seeded, so that a figure here
//! is the same on every machine. Its own error is at most half a percentage point.

use portes::measure::before_after::{self, Change, Window};
use portes::measure::biases::{self, Leanings};
use portes::measure::interval::{CountUnit, Estimate, Quantile, WeightUnit, ratio, sum, weighted_ratio};
use portes::measure::selection::Selection;
use portes::measure::study_plan::StudyPlan;
use portes::measure::tournament::{self, Figure, compare};
use portes::tables::partials::ErrorRow;

/// Draws of every figure: the standard error of a share of 95 % is 0.2 %.
const DRAWS: u64 = 10_000;

/// Units a figure may rest on.
const UNITS: [usize; 5] = [3, 5, 10, 20, 40];

const QUANTILES: [(&str, Quantile); 2] = [("normal", Quantile::Normal), ("student", Quantile::Student)];

/// A match as its interval sees it.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    pub(super) errors: CountUnit,
    /// Σ loss, and √length.
    pub(super) loss: WeightUnit,
}

/// Where units are drawn from.
pub(super) struct Population {
    pub(super) name: &'static str,
    pub(super) units: Vec<Unit>,
    /// Excess of single errors, in 1e-9.
    pub(super) excesses: Vec<i64>,
}

impl Population {
    /// Matches of 50 to 350 decisions, of a level that is different every day and sometimes very bad.
    pub(super) fn skewed() -> Self {
        let mut chance = Chance(7);
        let unit = |chance: &mut Chance| {
            let size = chance.whole(50, 350);
            let rate = (2.0 + 0.7 * chance.normal()).exp();
            let errors = CountUnit { amount: (rate * size as f64) as i64, size };
            let weight = [3.0f64, 5.0, 7.0, 11.0][usize::try_from(chance.below(4)).unwrap()].sqrt();
            let amount = (rate * weight * 2e6 * (0.4 * chance.normal()).exp()) as i64;
            Unit { errors, loss: WeightUnit { amount, weight } }
        };
        let units = (0..2_000).map(|_| unit(&mut chance)).collect();
        let excesses = (0..2_000).map(|_| ((15.5 + chance.normal()).exp()) as i64 - 1_000_000).collect();
        Self { name: "skewed", units, excesses }
    }
}

/// Prints the two tables in Markdown.
pub(super) fn printed(populations: &[Population]) {
    println!("Share of 95 % intervals that hold the truth ({DRAWS} draws), by units:\n");
    println!("| figure, units | drawn from | quantile | {} |", UNITS.map(|units| units.to_string()).join(" | "));
    println!("|---|---|---|{}", "---:|".repeat(UNITS.len()));
    type Covers = fn(&Population, usize, Quantile) -> f64;
    let figures: [(&str, Covers); 6] = [
        ("PR, matches", pr),
        ("L7 of a set, matches", l7),
        ("sum of losses (L7 of a match), units", sum_of_losses),
        ("recoverable, expected errors", recoverable),
        ("bias, 8 decisions a match", bias),
        ("before/after, expected errors a window", change),
    ];
    for (figure, covers) in figures {
        for population in populations {
            for (name, quantile) in QUANTILES {
                let shares = UNITS.map(|units| format!("{:.1}", 100.0 * covers(population, units, quantile)));
                println!("| {figure} | {} | {name} | {} |", population.name, shares.join(" | "));
            }
        }
    }
    println!("\nShare of verdicts that cry wolf on players who do not change, in percent:\n");
    println!("| verdict, units | drawn from | quantile | {} |", UNITS.map(|units| units.to_string()).join(" | "));
    println!("|---|---|---|{}", "---:|".repeat(UNITS.len()));
    let verdicts: [(&str, Covers); 3] = [
        ("bias `too_much` or `too_little`, 8 decisions a match", wolf_bias),
        ("before/after `improved` or `worse`, expected errors a window", wolf_change),
        ("tournament `worse` or `better` against 20 usual matches, matches", wolf_tournament),
    ];
    for (verdict, cries) in verdicts {
        for population in populations {
            for (name, quantile) in QUANTILES {
                let shares = UNITS.map(|units| format!("{:.1}", 100.0 * cries(population, units, quantile)));
                println!("| {verdict} | {} | {name} | {} |", population.name, shares.join(" | "));
            }
        }
    }
    println!();
}

/// How often `holds` of the draws that say anything.
fn share(holds: impl Fn(&mut Chance) -> Option<bool>) -> f64 {
    let said: Vec<bool> = (0..DRAWS).filter_map(|draw| holds(&mut Chance(draw))).collect();
    said.iter().filter(|held| **held).count() as f64 / (said.len().max(1)) as f64
}

fn holds(estimate: Option<Estimate>, truth: f64) -> Option<bool> {
    let ends = estimate?.interval?;
    Some(ends.low <= truth && truth <= ends.high)
}

fn pr(of: &Population, units: usize, quantile: Quantile) -> f64 {
    let all: Vec<CountUnit> = of.units.iter().map(|unit| unit.errors).collect();
    let truth = ratio(&all, quantile).unwrap().value;
    share(|chance| holds(ratio(&chance.draw(&all, units), quantile), truth))
}

fn l7(of: &Population, units: usize, quantile: Quantile) -> f64 {
    let all: Vec<WeightUnit> = of.units.iter().map(|unit| unit.loss).collect();
    let truth = weighted_ratio(&all, quantile).unwrap().value;
    share(|chance| holds(weighted_ratio(&chance.draw(&all, units), quantile), truth))
}

/// The sum over this many units, as a match sums its games; its truth is that many times the mean.
fn sum_of_losses(of: &Population, units: usize, quantile: Quantile) -> f64 {
    let all: Vec<i64> = of.units.iter().map(|unit| unit.loss.amount).collect();
    let mean = all.iter().sum::<i64>() as f64 / all.len() as f64;
    share(|chance| holds(sum(&chance.draw(&all, units), quantile), mean * units as f64))
}

fn mean(of: &[i64]) -> f64 {
    of.iter().sum::<i64>() as f64 / of.len() as f64
}

/// A family whose errors come as they come: their number is drawn too.
fn recoverable(of: &Population, expected: usize, quantile: Quantile) -> f64 {
    let truth = mean(&of.excesses) * expected as f64 / 1e9;
    let error = |excess: i64| ErrorRow {
        nature: "checker".to_owned(),
        plan: "contact".to_owned(),
        theme: Some("blots".to_owned()),
        loss: Some(excess + 1_000_000),
        difficulty: Some(1_000_000),
        ..ErrorRow::default()
    };
    share(|chance| {
        let members = chance.poisson(expected as f64);
        let errors: Vec<ErrorRow> = chance.draw(&of.excesses, members).into_iter().map(error).collect();
        let selection = Selection { season: "2026", player: Some("Ada") };
        let rows = errors.iter().collect::<StudyPlan>().rows(&selection, quantile);
        rows.first().map(|row| row.low <= truth && truth <= row.high)
    })
}

/// Decisions of a match lean the same way a little: a tenth of them follow the day.
fn leanings(chance: &mut Chance, matches: usize) -> Leanings {
    const DECISIONS: usize = 8;
    let mut sums = Leanings::default();
    for _ in 0..matches {
        let day = chance.lean();
        for _ in 0..DECISIONS {
            let lean = if chance.below(10) == 0 { day } else { chance.lean() };
            sums.decisions += 1;
            sums.plus += i64::from(lean > 0);
            sums.minus += i64::from(lean < 0);
        }
    }
    sums
}

fn bias(_: &Population, matches: usize, quantile: Quantile) -> f64 {
    share(|chance| {
        let bias = leanings(chance, matches).bias(quantile)?;
        Some(bias.low() <= 0.0 && 0.0 <= bias.high())
    })
}

fn wolf_bias(_: &Population, matches: usize, quantile: Quantile) -> f64 {
    share(|chance| match leanings(chance, matches).verdict(quantile) {
        biases::Verdict::Insufficient => None,
        verdict => Some(verdict != biases::Verdict::Balanced),
    })
}

/// A window of decisions one in ten of which is an error of the family; a loss is an excess that is no gain.
fn window(chance: &mut Chance, of: &Population, expected: usize) -> Window {
    let errors = chance.poisson(expected as f64);
    let losses = chance.draw(&of.excesses, errors).into_iter().map(|excess| excess.max(0) + 1_000_000).collect();
    Window { losses, decisions: 10 * i64::try_from(expected).unwrap() }
}

fn change(of: &Population, expected: usize, quantile: Quantile) -> f64 {
    share(|chance| {
        let change = Change::between(&window(chance, of, expected), &window(chance, of, expected), quantile);
        Some(change.delta?.abs() <= change.half_width?)
    })
}

fn wolf_change(of: &Population, expected: usize, quantile: Quantile) -> f64 {
    share(|chance| {
        let change = Change::between(&window(chance, of, expected), &window(chance, of, expected), quantile);
        match change.verdict {
            before_after::Verdict::Insufficient => None,
            verdict => Some(verdict != before_after::Verdict::Undetermined),
        }
    })
}

fn wolf_tournament(of: &Population, matches: usize, quantile: Quantile) -> f64 {
    const USUAL: usize = 20;
    let all: Vec<CountUnit> = of.units.iter().map(|unit| unit.errors).collect();
    share(|chance| {
        let mut figure = |units: usize| {
            let drawn = chance.draw(&all, units);
            Figure { estimate: ratio(&drawn, quantile), decisions: drawn.iter().map(|unit| unit.size).sum() }
        };
        match compare(figure(matches), figure(USUAL)).verdict {
            tournament::Verdict::Insufficient => None,
            verdict => Some(verdict != tournament::Verdict::Usual),
        }
    })
}

/// SplitMix64, and what is drawn with it.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// In [0, 1).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn whole(&mut self, from: i64, to: i64) -> i64 {
        from + i64::try_from(self.below((to - from).unsigned_abs())).unwrap()
    }

    /// Twelve uniform numbers less six.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    /// Knuth's product of uniform numbers.
    fn poisson(&mut self, mean: f64) -> usize {
        let (least, mut product, mut events) = ((-mean).exp(), self.unit(), 0);
        while product > least {
            product *= self.unit();
            events += 1;
        }
        events
    }

    /// Too much and too little one time in ten each.
    fn lean(&mut self) -> i64 {
        match self.below(10) {
            0 => 1,
            1 => -1,
            _ => 0,
        }
    }

    fn draw<T: Copy>(&mut self, all: &[T], units: usize) -> Vec<T> {
        (0..units).map(|_| all[usize::try_from(self.below(all.len() as u64)).unwrap()]).collect()
    }
}
