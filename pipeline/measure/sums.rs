//! Sums of moments: what every figure is made of.
//!
//! [`Sums`] has one whole number per summed column of the table `moments`, [`ByNature`] one [`Sums`] for each of the
//! three natures a player's figures are split by. Adding is all they do; overflow would take nine million decisions at
//! the bounds the tables allow, one after the other.

use super::MeasureFault;
use crate::tables::partials::MomentRow;
use serde::{Deserialize, Serialize};

/// Declares [`Sums`], so that adding a column is naming it once.
macro_rules! sums {
    ($($field:ident)*) => {
        /// Sums over decisions, in the units of [`MomentRow`].
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub struct Sums {
            $(#[doc = concat!("See [`MomentRow::", stringify!($field), "`].")] pub $field: i64,)*
        }

        impl Sums {
            /// The summed columns of `moments`.
            #[cfg(test)]
            const COLUMNS: &'static [&'static str] = &[$(stringify!($field)),*];

            /// Of one row.
            #[must_use]
            pub fn of(row: &MomentRow) -> Self {
                Self { $($field: row.$field,)* }
            }
        }

        impl std::ops::AddAssign<&Self> for Sums {
            fn add_assign(&mut self, other: &Self) {
                $(self.$field += other.$field;)*
            }
        }
    };
}

sums! {
    n rated counted forced outside_window unrated mpt rated_mpt e_raw priced loss both both_loss difficulty errors
    blunders avoidable uncounted_errors uncounted_mpt rolls unrated_rolls luck_rolls luck luck_mwc_rolls luck_mwc hasty
    considered unknown_pace timed xg_counted xg_e_raw xg_loss
}

/// What a player's figures are split by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nature {
    /// Checker plays.
    Checker,
    /// No doubles and doubles.
    Double,
    /// Takes and passes.
    Take,
}

impl Nature {
    /// All, in the order of the columns.
    pub const ALL: [Self; 3] = [Self::Checker, Self::Double, Self::Take];

    /// Of a stored kind of decision.
    ///
    /// # Errors
    /// A word that is no kind.
    pub fn of_kind(kind: &str) -> Result<Self, MeasureFault> {
        match kind {
            "checker" => Ok(Self::Checker),
            "no_double" | "double" => Ok(Self::Double),
            "take" | "pass" => Ok(Self::Take),
            other => Err(MeasureFault::Kind(other.to_owned())),
        }
    }

    const fn index(self) -> usize {
        match self {
            Self::Checker => 0,
            Self::Double => 1,
            Self::Take => 2,
        }
    }
}

/// Sums of each nature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByNature([Sums; 3]);

impl ByNature {
    /// More of one nature.
    pub fn add(&mut self, nature: Nature, sums: &Sums) {
        self.0[nature.index()] += sums;
    }

    /// Of one nature.
    #[must_use]
    pub const fn of(&self, nature: Nature) -> &Sums {
        &self.0[nature.index()]
    }

    /// One number of each nature, in the order of [`Nature::ALL`].
    #[must_use]
    pub fn map(&self, number: impl Fn(&Sums) -> i64) -> [i64; 3] {
        [number(&self.0[0]), number(&self.0[1]), number(&self.0[2])]
    }

    /// Of all natures together.
    #[must_use]
    pub fn total(&self) -> Sums {
        let mut total = Sums::default();
        for sums in &self.0 {
            total += sums;
        }
        total
    }
}

impl std::ops::AddAssign<&Self> for ByNature {
    fn add_assign(&mut self, other: &Self) {
        for (own, more) in self.0.iter_mut().zip(&other.0) {
            *own += more;
        }
    }
}

/// A figure, whole and by nature.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Split {
    /// All natures.
    pub total: Option<f64>,
    /// Checker plays.
    pub checker: Option<f64>,
    /// No doubles and doubles.
    pub double: Option<f64>,
    /// Takes and passes.
    pub take: Option<f64>,
}

impl Split {
    /// Sums over a scale: all absent when there are no decisions at all, 0 for a nature that has none (`metrics.md` 22).
    #[must_use]
    pub fn of([checker, double, take]: [i64; 3], decisions: i64, scale: f64) -> Self {
        if decisions == 0 {
            return Self::default();
        }
        let figure = |sum: i64| Some(sum as f64 / scale);
        Self {
            total: figure(checker + double + take),
            checker: figure(checker),
            double: figure(double),
            take: figure(take),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::row::{Kind, Row};

    #[test]
    fn every_number_of_the_table_is_summed_but_its_keys() {
        let numbers: Vec<&str> = MomentRow::COLUMNS
            .iter()
            .filter(|column| column.kind == Kind::Int && !MomentRow::KEY.contains(&column.name))
            .map(|column| column.name)
            .collect();
        assert_eq!(Sums::COLUMNS, numbers);
    }

    #[test]
    fn kinds_have_natures_and_other_words_are_faults() {
        assert!(matches!(Nature::of_kind("pass"), Ok(Nature::Take)));
        assert!(matches!(Nature::of_kind("no_double"), Ok(Nature::Double)));
        assert!(Nature::of_kind("beaver").is_err());
    }
}
