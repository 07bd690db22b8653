//! Numbers as a reader sees them: every format of `product-views.md` 2, and nowhere else.
//!
//! What arrives is a finished figure, what leaves is text. Nothing here decides anything: verdicts are made on unrounded
//! values before. Rounding is half away from zero on the decimal value, so binary noise (2.675 stored as 2.67499...) is
//! absorbed by a guard far below what any figure of ours can mean. A figure that is not finite is absent.

use crate::game::units::{EQUITY_SCALE, MWC_SCALE};
use crate::tables::row::Day;

/// An absence; the reason stands beside it or in the note below.
pub(super) const ABSENT: &str = "\u{2014}";
/// The sign of a negative number.
const MINUS: char = '\u{2212}';
/// Between groups of three digits: thin, and no line breaks there.
const THIN: char = '\u{202f}';
/// Between a number and its unit.
pub(super) const NBSP: char = '\u{a0}';
/// In units of the last digit shown. Figures come from whole numbers by a few operations, so their noise is below 1e-9
/// of a digit; a true difference from a half is above 1e-5 (denominators stay under a million).
const GUARD: f64 = 1e-6;
/// 2^53: past it an f64 skips whole numbers.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// The smallest share that is shown as a number, in percent points; below it `<0.01`.
const SMALLEST_SHARE: f64 = 0.005;
/// Counts from here on are grouped.
const GROUPED_FROM: u64 = 10_000;

/// The digits of |x| and whether the rounded figure is below zero; `None` when it cannot be shown.
fn digits(x: f64, decimals: u32) -> Option<(String, bool)> {
    let scale = 10_u64.pow(decimals);
    let scaled = libm::floor(x.abs() * scale as f64 + 0.5 + GUARD);
    if !scaled.is_finite() || scaled > EXACT {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, not negative, under 2^53")]
    let whole = scaled as u64;
    let mut text = (whole / scale).to_string();
    if decimals > 0 {
        // With the leading zeros, after a digit that becomes the point.
        let part = (scale + whole % scale).to_string();
        text.push('.');
        text.push_str(part.get(1..).unwrap_or_default());
    }
    Some((text, x < 0.0 && whole > 0))
}

/// Fixed decimals; a minus only where a digit is left to carry it.
pub(super) fn fixed(x: f64, decimals: u32) -> String {
    match digits(x, decimals) {
        Some((text, true)) => format!("{MINUS}{text}"),
        Some((text, false)) => text,
        None => ABSENT.to_owned(),
    }
}

/// Fixed decimals with a sign always; a true zero is `0`.
pub(super) fn signed(x: f64, decimals: u32) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    match digits(x, decimals) {
        Some((text, _)) => format!("{}{text}", if x < 0.0 { MINUS } else { '+' }),
        None => ABSENT.to_owned(),
    }
}

/// A PR or a Snowie rate: two decimals.
pub(super) fn pr(x: Option<f64>) -> String {
    x.map_or_else(absent, |x| fixed(x, 2))
}

/// `[3.10–6.42]`; a low end floored at 0 is `0`. Empty without both ends.
pub(super) fn interval(low: Option<f64>, high: Option<f64>, decimals: u32) -> String {
    let end = |x: f64| if x == 0.0 { "0".to_owned() } else { fixed(x, decimals) };
    match (low, high) {
        (Some(low), Some(high)) => format!("[{}\u{2013}{}]", end(low), end(high)),
        _ => String::new(),
    }
}

/// `[+1.06, +22.02]`: an interval with signs. Empty without both ends.
pub(super) fn signed_interval(low: Option<f64>, high: Option<f64>, decimals: u32) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("[{}, {}]", signed(low, decimals), signed(high, decimals)),
        _ => String::new(),
    }
}

/// A sum of errors in EMG as whole mpt.
pub(super) fn mpt(emg: f64) -> String {
    fixed(emg * 1000.0, 0)
}

/// A share of a match in percent points without the sign of percent, for columns that name the unit.
pub(super) fn points(share: Option<f64>) -> String {
    match share {
        None => absent(),
        Some(0.0) => "0".to_owned(),
        Some(x) if x > 0.0 && x * 100.0 < SMALLEST_SHARE => "<0.01".to_owned(),
        Some(x) => fixed(x * 100.0, 2),
    }
}

/// `1.23 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{}{NBSP}%", points(Some(share)))
}

/// Percent points with a sign, without the sign of percent.
pub(super) fn signed_points(share: Option<f64>) -> String {
    share.map_or_else(absent, |x| signed(x * 100.0, 2))
}

/// `−16.80 %`.
pub(super) fn signed_percent(share: f64) -> String {
    format!("{}{NBSP}%", signed(share * 100.0, 2))
}

/// Stored MWC (1e-9) as percent points.
pub(super) fn mwc(units: Option<i64>) -> String {
    points(units.map(mwc_share))
}

/// Stored MWC as a fraction of a match.
pub(super) fn mwc_share(units: i64) -> f64 {
    units as f64 / MWC_SCALE as f64
}

/// L7: percent points, one decimal.
pub(super) fn l7(share: Option<f64>) -> String {
    share.map_or_else(absent, |x| fixed(x * 100.0, 1))
}

/// The interval of L7.
pub(super) fn l7_interval(low: Option<f64>, high: Option<f64>) -> String {
    interval(low.map(|x| x * 100.0), high.map(|x| x * 100.0), 1)
}

/// `≈ −165`; at its floor `≤ −1509`.
pub(super) fn elo(x: Option<f64>, floored: Option<bool>) -> String {
    let sign = if floored == Some(true) { '\u{2264}' } else { '\u{2248}' };
    x.map_or_else(absent, |x| format!("{sign}{NBSP}{}", fixed(x, 0)))
}

/// `1.85 ×`.
pub(super) fn ratio(x: Option<f64>) -> String {
    x.map_or_else(absent, |x| format!("{}{NBSP}\u{d7}", fixed(x, 2)))
}

/// An error in whole mpt as an equity of three decimals; a true zero is `0`.
pub(super) fn error(mpt: i64) -> String {
    if mpt == 0 {
        return "0".to_owned();
    }
    let sign = if mpt < 0 { MINUS.to_string() } else { String::new() };
    format!("{sign}{}.{:03}", mpt.unsigned_abs() / 1000, mpt.unsigned_abs() % 1000)
}

/// A stored equity (1e-8) with its sign: `+0.988`.
pub(super) fn equity(units: Option<i64>) -> String {
    units.map_or_else(absent, |units| match units {
        0 => "0".to_owned(),
        _ => signed(units as f64 / EQUITY_SCALE as f64, 3),
    })
}

/// A stored probability (1e-8) in percent, one decimal.
pub(super) fn chance(units: i64) -> String {
    fixed(units as f64 * 100.0 / EQUITY_SCALE as f64, 1)
}

/// Mean luck of a roll in whole mpt, signed; absent without a measured roll.
pub(super) fn luck_per_roll(luck: Option<f64>, rolls: i64) -> String {
    match luck {
        Some(luck) if rolls > 0 => whole_signed(luck * 1000.0 / rolls as f64),
        _ => absent(),
    }
}

/// Luck of one roll (1e-8) in whole mpt, signed.
pub(super) fn luck(units: Option<i64>) -> String {
    units.map_or_else(absent, |units| whole_signed(units as f64 * 1000.0 / EQUITY_SCALE as f64))
}

/// Whole, with a sign unless it rounds to 0.
fn whole_signed(x: f64) -> String {
    match digits(x, 0) {
        Some((text, _)) if text == "0" => text,
        Some((text, _)) => format!("{}{text}", if x < 0.0 { MINUS } else { '+' }),
        None => absent(),
    }
}

/// A count, grouped with thin spaces from 10 000.
pub(super) fn count(n: i64) -> String {
    let size = n.unsigned_abs();
    let digits = size.to_string();
    let mut out = String::new();
    if n < 0 {
        out.push(MINUS);
    }
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && size >= GROUPED_FROM && (digits.len() - at).is_multiple_of(3) {
            out.push(THIN);
        }
        out.push(digit);
    }
    out
}

/// A count of rows.
pub(super) fn size(n: usize) -> String {
    count(i64::try_from(n).unwrap_or(i64::MAX))
}

/// Place points: `25`, and where players share `21.5`, `18.33`.
pub(super) fn place_points(points: Option<f64>) -> String {
    points.map_or_else(absent, |points| {
        let text = fixed(points, 2);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    })
}

/// ISO, or `undated`.
pub(super) fn date(day: Option<Day>) -> String {
    day.and_then(iso).unwrap_or_else(|| "undated".to_owned())
}

fn iso(day: Day) -> Option<String> {
    let epoch = jiff::civil::Date::new(1970, 1, 1).ok()?;
    let span = jiff::Span::new().try_days(day.0).ok()?;
    Some(epoch.checked_add(span).ok()?.to_string())
}

fn absent() -> String {
    ABSENT.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_half_away_from_zero_on_the_decimal_value() {
        assert_eq!(fixed(2.675, 2), "2.68");
        assert_eq!(fixed(1.005, 2), "1.01");
        assert_eq!(fixed(-0.125, 2), "\u{2212}0.13");
        assert_eq!(fixed(0.124_99, 2), "0.12");
        assert_eq!(fixed(-0.001, 2), "0.00");
        assert_eq!(fixed(f64::NAN, 2), ABSENT);
        assert_eq!(fixed(1e300, 2), ABSENT);
    }

    #[test]
    fn the_examples_of_the_table_of_formats() {
        assert_eq!(pr(Some(5.32)), "5.32");
        assert_eq!(interval(Some(3.1), Some(6.42), 2), "[3.10\u{2013}6.42]");
        assert_eq!(interval(Some(0.0), Some(0.592), 2), "[0\u{2013}0.59]");
        assert_eq!(error(52), "0.052");
        assert_eq!(percent(0.012_34), "1.23\u{a0}%");
        assert_eq!(percent(0.000_04), "<0.01\u{a0}%");
        assert_eq!(percent(0.000_05), "0.01\u{a0}%");
        assert_eq!(percent(0.0), "0\u{a0}%");
        assert_eq!(signed_percent(-0.168_038_85), "\u{2212}16.80\u{a0}%");
        assert_eq!(signed_percent(0.0992), "+9.92\u{a0}%");
        assert_eq!(l7(Some(0.123)), "12.3");
        assert_eq!(elo(Some(-164.903_402), Some(false)), "\u{2248}\u{a0}\u{2212}165");
        assert_eq!(elo(Some(-1_508.558_409), Some(true)), "\u{2264}\u{a0}\u{2212}1509");
        assert_eq!(ratio(Some(1.85)), "1.85\u{a0}\u{d7}");
        assert_eq!(luck_per_roll(Some(0.588), 49), "+12");
        assert_eq!(luck_per_roll(Some(0.5), 0), ABSENT);
        assert_eq!(count(12_480), "12\u{202f}480");
        assert_eq!(count(9_999), "9999");
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
    }

    #[test]
    fn days_are_iso_dates_and_an_absurd_one_is_undated() {
        assert_eq!(date(Some(Day(20_249))), "2025-06-10");
        assert_eq!(date(Some(Day(-1))), "1969-12-31");
        assert_eq!(date(Some(Day(i32::MAX))), "undated");
        assert_eq!(date(None), "undated");
    }
}
