//! How sure a figure is: 95 % intervals over independent units (`metrics.md` 9).
//!
//! Decisions of one game hang together, so a unit is the largest piece that does not: the games of one match, the
//! matches of a set. Whoever measures hands over one first moment per unit (a sum and a size, whole numbers) and gets
//! an [`Estimate`]: the value, its standard error and, where one exists, its interval.
//!
//! **95 % is a name, not a promise**, with few units: resampling shows that the definition's 1.96 holds the truth less
//! often, and that [`Quantile::Student`] mends most of it where units are not very skewed. `cargo bench --bench night --
//! honesty` draws the table the README prints. The quantile reaches every interval: also those over decisions (a bias) and
//! over errors (a family, before and after), which count as their units.
//!
//! The invariant kept here: **the order of the units cannot be seen in a single bit.** Sums are exact in 128-bit
//! integers; what has to be a float is added from the smallest to the largest. A rate over counts needs no list of its
//! units at all: six whole numbers say everything ([`Spread`]), and those of two sets add up to those of both.

use serde::{Deserialize, Serialize};

/// Units under which no interval is given: two units always agree too well or too badly.
const LEAST_UNITS: usize = 3;

/// A standard error this small beside its value means units in perfect agreement, which prove no precision; the rest
/// of it is float noise.
const AGREEMENT: f64 = 1e-6;

/// The 97.5 % point of the normal distribution as the definition writes it, two decimals.
const NORMAL: f64 = 1.96;

/// Which quantile spans an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quantile {
    /// 1.96 whatever the number of units: the definition.
    #[default]
    Normal,
    /// Student's t with one degree of freedom less than units: wider, and honest with few of them.
    Student,
}

impl Quantile {
    /// The multiple of the standard error for this many units.
    #[must_use]
    pub fn multiple(self, units: usize) -> f64 {
        match self {
            Self::Normal => NORMAL,
            Self::Student => student(units.saturating_sub(1)),
        }
    }
}

/// The two-sided 95 % points of Student's t for 1 to 30 degrees of freedom (any printed table).
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// Further rows of that table; between two of them the one with fewer degrees holds, which is the wider.
const STUDENT_BEYOND: [(usize, f64); 3] = [(120, 1.980), (60, 2.000), (40, 2.021)];

fn student(degrees: usize) -> f64 {
    let [first, .., last] = STUDENT;
    if let Some(row) = STUDENT.get(degrees.wrapping_sub(1)) {
        return *row;
    }
    match STUDENT_BEYOND {
        _ if degrees == 0 => first,
        [(most, _), ..] if degrees > most => NORMAL,
        rows => rows.iter().find(|(from, _)| degrees >= *from).map_or(last, |(_, t)| *t),
    }
}

/// Both ends of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end, never under 0: what is estimated here is a cost.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// A value and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Standard error; `None` with a single unit.
    pub standard_error: Option<f64>,
    /// `None` under three units, and where the units agree perfectly (`metrics.md` 9.4).
    pub interval: Option<Interval>,
    /// Units it rests on.
    pub units: usize,
}

impl Estimate {
    /// In another unit: the value and everything that belongs to it, times a positive factor.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self {
            value: self.value * factor,
            standard_error: self.standard_error.map(|error| error * factor),
            interval: self.interval.map(|ends| Interval { low: ends.low * factor, high: ends.high * factor }),
            units: self.units,
        }
    }
}

/// One unit of a rate: something summed, over a number of decisions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountUnit {
    /// What was summed: mpt, or 1e-9 of a match.
    pub amount: i64,
    /// Decisions it was summed over; a unit of none is ignored.
    pub size: i64,
}

impl std::ops::AddAssign for CountUnit {
    fn add_assign(&mut self, other: Self) {
        self.amount += other.amount;
        self.size += other.size;
    }
}

/// One unit of a rate whose size is no whole number (√N of a match to N points).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeightUnit {
    /// What was summed.
    pub amount: i64,
    /// Its weight; above 0.
    pub weight: f64,
}

/// What a rate over any number of [`CountUnit`]s is finished from: second moments too, all of them whole numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spread {
    /// Units with a size; the others are ignored.
    units: u64,
    amount: i128,
    size: i128,
    amount_squares: i128,
    products: i128,
    size_squares: i128,
}

impl Spread {
    /// Σ amounts / Σ sizes (`metrics.md` 9.2); `None` when nothing has a size.
    #[must_use]
    pub fn ratio(&self, quantile: Quantile) -> Option<Estimate> {
        if self.size == 0 {
            return None;
        }
        let whole = self.size as f64;
        let units = usize::try_from(self.units).unwrap_or(usize::MAX);
        Some(finish(self.amount as f64 / whole, (units, self.squares()), whole, quantile))
    }

    /// Σ (e − R·n)² = (Σe²·(Σn)² − 2·Σen·Σe·Σn + Σn²·(Σe)²) / (Σn)²: exact above the line, so equal rates deviate by
    /// exactly 0. Past 128 bits, which no lake comes near, it is added in floats.
    fn squares(&self) -> f64 {
        let Self { amount, size, amount_squares, products, size_squares, .. } = *self;
        let exact = || {
            let first = amount_squares.checked_mul(size.checked_mul(size)?)?;
            let second = products.checked_mul(amount.checked_mul(size)?)?.checked_mul(2)?;
            let third = size_squares.checked_mul(amount.checked_mul(amount)?)?;
            first.checked_sub(second)?.checked_add(third)
        };
        let whole = size as f64;
        if let Some(over) = exact() {
            return over as f64 / (whole * whole);
        }
        let rate = amount as f64 / whole;
        let squares = amount_squares as f64 - 2.0 * rate * products as f64 + rate * rate * size_squares as f64;
        squares.max(0.0)
    }
}

impl std::ops::AddAssign<CountUnit> for Spread {
    fn add_assign(&mut self, unit: CountUnit) {
        if unit.size <= 0 {
            return;
        }
        let (amount, size) = (i128::from(unit.amount), i128::from(unit.size));
        self.units += 1;
        self.amount += amount;
        self.size += size;
        self.amount_squares += amount * amount;
        self.products += amount * size;
        self.size_squares += size * size;
    }
}

impl std::ops::AddAssign<&Self> for Spread {
    /// Those of another set.
    fn add_assign(&mut self, other: &Self) {
        self.units += other.units;
        self.amount += other.amount;
        self.size += other.size;
        self.amount_squares += other.amount_squares;
        self.products += other.products;
        self.size_squares += other.size_squares;
    }
}

impl FromIterator<CountUnit> for Spread {
    fn from_iter<T: IntoIterator<Item = CountUnit>>(units: T) -> Self {
        let mut spread = Self::default();
        units.into_iter().for_each(|unit| spread += unit);
        spread
    }
}

/// [`Spread::ratio`] of these units.
#[must_use]
pub fn ratio(units: &[CountUnit], quantile: Quantile) -> Option<Estimate> {
    units.iter().copied().collect::<Spread>().ratio(quantile)
}

/// The same where the sizes are weights; `None` without units.
#[must_use]
pub fn weighted_ratio(units: &[WeightUnit], quantile: Quantile) -> Option<Estimate> {
    let amount: i128 = units.iter().map(|unit| i128::from(unit.amount)).sum();
    let weight = total_weight(units);
    if weight <= 0.0 {
        return None;
    }
    let value = amount as f64 / weight;
    let deviations = units.iter().map(|unit| unit.amount as f64 - value * unit.weight).collect();
    Some(finish(value, (units.len(), squares(deviations)), weight, quantile))
}

/// Σ weights, the same whatever order the units come in.
#[must_use]
pub fn total_weight(units: &[WeightUnit]) -> f64 {
    ascending(units.iter().map(|unit| unit.weight).collect()).into_iter().sum()
}

/// Σ amounts of one match, whose games are the units (`metrics.md` 9.3); `None` without units.
#[must_use]
pub fn sum(amounts: &[i64], quantile: Quantile) -> Option<Estimate> {
    let units = i128::try_from(amounts.len()).ok().filter(|units| *units > 0)?;
    let total: i128 = amounts.iter().copied().map(i128::from).sum();
    // l − l̄ = (G·l − Σl) / G, exact above the line.
    let deviations = amounts.iter().map(|l| (units * i128::from(*l) - total) as f64 / units as f64).collect();
    Some(finish(total as f64, (amounts.len(), squares(deviations)), 1.0, quantile))
}

/// Var = G/(G−1) · Σ deviation² / size², and what follows from it.
fn finish(value: f64, (units, squares): (usize, f64), size: f64, quantile: Quantile) -> Estimate {
    let standard_error = (units > 1).then(|| {
        let count = units as f64;
        (count / (count - 1.0) * squares).sqrt() / size
    });
    let interval =
        standard_error.filter(|error| units >= LEAST_UNITS && *error > AGREEMENT * value.abs()).map(|error| {
            let half = quantile.multiple(units) * error;
            Interval { low: (value - half).max(0.0), high: value + half }
        });
    Estimate { value, standard_error, interval, units }
}

/// Σ deviation².
fn squares(deviations: Vec<f64>) -> f64 {
    ascending(deviations).into_iter().map(|d| d * d).sum()
}

/// From the smallest to the largest size, so that a sum does not depend on who came first. (Two values of equal size
/// and opposite sign have the same square.)
fn ascending(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::check::near;

    fn units(of: &[(i64, i64)]) -> Vec<CountUnit> {
        of.iter().map(|&(amount, size)| CountUnit { amount, size }).collect()
    }

    /// The rows of the table of section 9.4 that are ratios: units, factor, value, standard error, interval.
    #[test]
    fn ratios_of_the_definition() -> Result<(), String> {
        type Line<'a> = (&'a [(i64, i64)], f64, f64, Option<f64>, Option<(f64, f64)>);
        let lines: [Line<'_>; 7] = [
            (&[(600, 30), (900, 40), (300, 20)], 0.5, 10.0, Some(0.962_250), Some((8.113_989, 11.886_011))),
            (&[(600, 30), (900, 40), (300, 20), (0, 0)], 0.5, 10.0, Some(0.962_250), Some((8.113_989, 11.886_011))),
            (&[(0, 10), (10, 10), (20, 10)], 1.0, 1.0, Some(0.577_350), Some((0.0, 2.131_607))),
            (&[(0, 10), (10, 10), (20, 10)], 0.5, 0.5, Some(0.288_675), Some((0.0, 1.065_803))),
            (&[(100, 20), (150, 30), (50, 10)], 0.5, 2.5, Some(0.0), None),
            (&[(100, 20), (300, 20)], 0.5, 5.0, None, None),
            (&[(0, 5), (0, 6), (0, 7)], 0.5, 0.0, Some(0.0), None),
        ];
        for (of, factor, value, error, ends) in lines {
            let got = ratio(&units(of), Quantile::Normal).ok_or("no value")?.scaled(factor);
            near(got.value, value, 1e-6)?;
            if let Some(error) = error {
                near(got.standard_error.ok_or("no error")?, error, 1e-6)?;
            }
            assert_eq!(got.interval.is_some(), ends.is_some(), "{of:?}");
            if let (Some(got), Some((low, high))) = (got.interval, ends) {
                near(got.low, low, 1e-6)?;
                near(got.high, high, 1e-6)?;
            }
        }
        Ok(())
    }

    #[test]
    fn nothing_has_no_value() {
        assert_eq!(ratio(&[], Quantile::Normal), None);
        assert_eq!(ratio(&units(&[(0, 0)]), Quantile::Normal), None);
        assert_eq!(weighted_ratio(&[], Quantile::Normal), None);
        assert_eq!(sum(&[], Quantile::Normal), None);
    }

    #[test]
    fn equal_rates_that_no_binary_fraction_holds_still_agree_perfectly() -> Result<(), String> {
        let got = ratio(&units(&[(1, 3), (7, 21), (1_000_003, 3_000_009)]), Quantile::Normal).ok_or("no value")?;
        assert_eq!(got.standard_error, Some(0.0));
        assert_eq!(got.interval, None);
        Ok(())
    }

    #[test]
    fn the_order_of_the_units_does_not_show() {
        let mut of: Vec<CountUnit> =
            (0..200).map(|i: i64| CountUnit { amount: i * i * 7_919 % 1_009, size: i % 13 }).collect();
        let mut weights: Vec<WeightUnit> = (1..200_i32)
            .map(|i| WeightUnit { amount: i64::from(i) * 104_729 % 7_919, weight: f64::from(i % 21 + 1).sqrt() })
            .collect();
        let before = (ratio(&of, Quantile::Normal), weighted_ratio(&weights, Quantile::Normal));
        for turn in 1..17 {
            of.rotate_left(turn);
            of.swap(0, turn * 11);
            weights.rotate_left(turn);
            weights.swap(0, turn * 11);
            assert_eq!(before, (ratio(&of, Quantile::Normal), weighted_ratio(&weights, Quantile::Normal)));
        }
    }

    #[test]
    fn the_spreads_of_two_sets_add_up_to_that_of_both() {
        let of = units(&[(600, 30), (900, 40), (300, 20), (17, 0), (1, 3)]);
        let (one, other) = of.split_at(2);
        let mut both: Spread = one.iter().copied().collect();
        both += &other.iter().copied().collect();
        assert_eq!(both, of.iter().copied().collect());
        assert_eq!(both.ratio(Quantile::Normal), ratio(&of, Quantile::Normal));
    }

    #[test]
    fn the_largest_sums_do_not_overflow() {
        let huge = [CountUnit { amount: i64::MAX / 4, size: 1 << 40 }; 4];
        assert!(ratio(&huge, Quantile::Normal).is_some_and(|got| got.value > 0.0 && got.interval.is_none()));
        assert!(sum(&[i64::MAX / 4; 4], Quantile::Normal).is_some_and(|got| got.value > 8e18));
    }

    #[test]
    fn student_widens_few_units_and_ends_at_the_normal() -> Result<(), String> {
        assert_eq!(Quantile::Student.multiple(3), 4.303);
        assert_eq!(Quantile::Student.multiple(31), 2.042);
        assert_eq!(Quantile::Student.multiple(36), 2.042);
        assert_eq!(Quantile::Student.multiple(41), 2.021);
        assert_eq!(Quantile::Student.multiple(100), 2.000);
        assert_eq!(Quantile::Student.multiple(121), 1.980);
        assert_eq!(Quantile::Student.multiple(122), 1.96);
        assert_eq!(Quantile::Student.multiple(0), 12.706);
        let of = units(&[(600, 30), (900, 40), (300, 20)]);
        let got = ratio(&of, Quantile::Student).ok_or("no value")?.scaled(0.5);
        near(got.interval.ok_or("no interval")?.high, 10.0 + 4.303 * 0.962_250, 1e-5)
    }
}
