//! What is summed over the decisions of a cell: how many there are, and what they cost.

use serde::{Deserialize, Serialize};

/// Declares [`CellSums`], so that adding a column is naming it once.
macro_rules! cell_sums {
    ($($field:ident)*) => {
        /// Sums over the decisions of a cell, in the units of [`CellRow`](crate::tables::partials::CellRow).
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub struct CellSums {
            $(#[doc = concat!("See `", stringify!($field), "` of [`CellRow`](crate::tables::partials::CellRow).")] pub $field: i64,)*
        }

        impl CellSums {
            /// The summed columns of `cells`.
            pub const COLUMNS: &'static [&'static str] = &[$(stringify!($field)),*];

            /// Of one row.
            #[must_use]
            pub const fn of_row(row: &crate::tables::partials::CellRow) -> Self {
                Self { $($field: row.$field,)* }
            }

            /// Of numbers in the order of the columns.
            #[must_use]
            pub const fn of([$($field),*]: [i64; Self::COLUMNS.len()]) -> Self {
                Self { $($field),* }
            }

            /// The numbers, in the order of the columns.
            #[must_use]
            pub const fn numbers(&self) -> [i64; Self::COLUMNS.len()] {
                [$(self.$field),*]
            }
        }

        impl std::ops::AddAssign<&Self> for CellSums {
            fn add_assign(&mut self, other: &Self) {
                $(self.$field += other.$field;)*
            }
        }
    };
}

cell_sums! { n priced mpt loss errors blunders plus minus plus_mpt minus_mpt unread }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::partials::CellRow;
    use crate::tables::row::{Kind, Row};

    #[test]
    fn every_number_of_the_table_is_summed_but_its_keys() {
        let numbers: Vec<&str> = CellRow::COLUMNS
            .iter()
            .filter(|column| column.kind == Kind::Int && !CellRow::KEY.contains(&column.name))
            .map(|column| column.name)
            .collect();
        assert_eq!(CellSums::COLUMNS, numbers);
    }
}
