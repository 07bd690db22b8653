//! Decimals as the file writes them, to whole units, without a float in between.
//!
//! An analysed match is nine tenths decimals of the shape `-0.123456`. They are whole millionths already, so they are
//! read as such, eight characters at a time. Every other shape goes the long way; digits past the unit round half away
//! from zero, as the decimal says and not as its nearest float would. What is not a finite number is absent.

use crate::game::{Equity, Mwc, Probability};

/// Millionths to units of 1e-8.
const MILLIONTH: i64 = 100;
/// Decimals of an [`Equity`] and a [`Probability`].
const EQUITY_DECIMALS: u32 = 8;
/// Decimals of an [`Mwc`].
const MWC_DECIMALS: u32 = 9;
/// Whole digits that are read; more is no figure of backgammon.
const MOST_WHOLE_DIGITS: usize = 8;
/// A probability may leave 0..=1 by this much of single-precision noise (in 1e-8).
const NOISE: i64 = 1_000;
/// One whole in units of 1e-8.
const ONE: i64 = 100_000_000;

/// Reads words off a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Words<'a> {
    pub(super) const fn new(text: &'a [u8]) -> Self {
        Self { rest: text }
    }

    /// Passes over `prefix` if it comes next.
    pub(super) fn pass(&mut self, prefix: &[u8]) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// The next word as units of 1e-8; the usual shape is taken in one bite.
    pub(super) fn hundred_millionths(&mut self) -> Option<i64> {
        if let Some((millionths, rest)) = usual(self.rest) {
            self.rest = rest;
            return Some(millionths * MILLIONTH);
        }
        units(self.next()?, EQUITY_DECIMALS)
    }

    /// Goes past the next word equal to `keyword`; false when there is none.
    pub(super) fn seek(&mut self, keyword: &[u8]) -> bool {
        self.any(|word| word == keyword)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let text = self.rest.trim_ascii_start();
        let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest.get(1..).unwrap_or_default();
        (!word.is_empty()).then_some(word)
    }
}

/// `-?d.dddddd` and a blank: the millionths, and what follows the blank.
fn usual(text: &[u8]) -> Option<(i64, &[u8])> {
    let (negative, text) = match text {
        [b'-', text @ ..] => (true, text),
        text => (false, text),
    };
    let (digits, rest) = text.split_first_chunk::<8>()?;
    let rest = rest.strip_prefix(b" ")?;
    let millionths = millionths(*digits)?;
    Some((if negative { -millionths } else { millionths }, rest))
}

/// `d.dddddd`. The eight characters become eight digits (the point counts as 0), which are then summed pairwise: tens
/// and ones, hundreds of those, and so on.
fn millionths(text: [u8; 8]) -> Option<i64> {
    const ZEROS: u64 = u64::from_le_bytes(*b"0.000000");
    const NINES: u64 = u64::from_ne_bytes([0x76; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    const POINT: u64 = 0xff00;
    const EVERY_FOURTH: u64 = 0x0000_00ff_0000_00ff;
    let digits = u64::from_le_bytes(text) ^ ZEROS;
    if digits & POINT != 0 || (digits | digits.wrapping_add(NINES)) & HIGH != 0 {
        return None;
    }
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let left = (pairs & EVERY_FOURTH).wrapping_mul(0x000f_4240_0000_0064);
    let right = ((pairs >> 16) & EVERY_FOURTH).wrapping_mul(0x0000_2710_0000_0001);
    let number = i64::try_from(left.wrapping_add(right) >> 32).ok()?;
    // The point stood for a digit: d0ffffff is d ffffff millionths.
    Some(number - number / 10_000_000 * 9_000_000)
}

/// A decimal in units of 10^-`decimals`, rounded half away from zero.
fn units(word: &[u8], decimals: u32) -> Option<i64> {
    let (negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let size = unsigned(digits, decimals)?;
    Some(if negative { -size } else { size })
}

fn unsigned(text: &[u8], decimals: u32) -> Option<i64> {
    let point = text.iter().position(|&byte| byte == b'.').unwrap_or(text.len());
    let (whole, fraction) = (&text[..point], text.get(point + 1..).unwrap_or_default());
    if whole.len() + fraction.len() == 0 || !whole.iter().chain(fraction).all(u8::is_ascii_digit) {
        return scaled(text, decimals);
    }
    if whole.len() > MOST_WHOLE_DIGITS {
        return None;
    }
    let kept = usize::try_from(decimals).ok()?;
    let digits = whole.iter().chain(fraction.iter().chain(std::iter::repeat(&b'0')).take(kept));
    let size = digits.fold(0i64, |size, &digit| size * 10 + i64::from(digit - b'0'));
    Some(size + i64::from(fraction.get(kept).is_some_and(|&digit| digit >= b'5')))
}

/// Exponents and whatever else a float may look like.
fn scaled(text: &[u8], decimals: u32) -> Option<i64> {
    let x = real(text)?;
    match decimals {
        MWC_DECIMALS => Mwc::from_f64(x).map(Mwc::units),
        _ => Equity::from_f64(x).map(Equity::units),
    }
}

/// A finite float.
pub(super) fn real(word: &[u8]) -> Option<f64> {
    str::from_utf8(word).ok()?.parse().ok().filter(|x: &f64| x.is_finite())
}

/// A whole number.
pub(super) fn whole(word: &[u8]) -> Option<i64> {
    str::from_utf8(word).ok()?.trim().parse().ok()
}

/// An equity, bounded as the unit is.
pub(super) fn equity(word: &[u8]) -> Option<Equity> {
    bounded(units(word, EQUITY_DECIMALS)?)
}

/// An equity in stored units, unless no position can have it.
pub(super) fn bounded(units: i64) -> Option<Equity> {
    (units.abs() <= crate::game::units::EQUITY_BOUND).then_some(Equity::from_units(units))
}

/// Match winning chances; like a probability they may leave 0..=1 by noise.
pub(super) fn mwc(word: &[u8]) -> Option<Mwc> {
    let units = units(word, MWC_DECIMALS)?;
    within(units, NOISE * 10, ONE * 10).map(Mwc::from_units)
}

/// A probability from units of 1e-8.
pub(super) fn probability(units: i64) -> Option<Probability> {
    within(units, NOISE, ONE).map(Probability::from_units)
}

fn within(units: i64, noise: i64, one: i64) -> Option<i64> {
    (-noise..=one + noise).contains(&units).then_some(units.clamp(0, one))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<i64> {
        let text = format!("{text} ");
        Words::new(text.as_bytes()).hundred_millionths()
    }

    #[test]
    fn the_usual_shape_and_the_long_way_agree_with_the_decimal() {
        for text in ["0.000000", "-0.000000", "0.142963", "-3.999999", "9.999999", "1.000001", "-0.801964"] {
            let exact = text.replace('.', "").parse::<i64>().ok().map(|millionths| millionths * 100);
            assert_eq!(read(text), exact, "{text}");
            assert!(usual(format!("{text} ").as_bytes()).is_some(), "{text}");
            assert_eq!(units(text.as_bytes(), EQUITY_DECIMALS), exact, "{text}");
        }
    }

    #[test]
    fn other_shapes_round_half_away_from_zero() {
        let cases = [
            ("12.5", Some(1_250_000_000)),
            ("-0.05427", Some(-5_427_000)),
            ("0.123456785", Some(12_345_679)),
            ("-0.1234567849999", Some(-12_345_678)),
            ("1.234e-05", Some(1_234)),
            (".5", Some(50_000_000)),
            ("7", Some(700_000_000)),
            ("1e999", None),
            ("nan", None),
            ("-inf", None),
            ("0,5", None),
            ("0x1", None),
            ("", None),
            ("999999999999.0", None),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn characters_near_the_digits_are_not_digits() {
        for text in ["0.12345:", "0./23456", "0:123456", "0.1\u{7f}3456", "0.12 456", "0.123+56"] {
            assert_eq!(usual(format!("{text} ").as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn probabilities_and_winning_chances_may_be_noisy_but_not_wrong() {
        assert_eq!(probability(-900), Some(Probability::from_units(0)));
        assert_eq!(probability(100_001_001), None);
        assert_eq!(mwc(b"0.5534580946"), Some(Mwc::from_units(553_458_095)));
        assert_eq!(mwc(b"1.2"), None);
    }
}
