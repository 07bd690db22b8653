//! Dates of study sources: one rule everywhere, the UTC calendar day of the instant (`study-sources.md` 2).
//!
//! Sources write dates in five forms, one file sometimes in several. Who wants local days gives a fixed offset, which
//! then holds for every instant; a bare day stays what it is. A date that nobody meant (empty, or the zero of a
//! program) is absent; one that cannot be read is a fault, and so is a day before 1990 or after the run.

use crate::tables::row::Day;
use jiff::civil::{Date, DateTime};
use jiff::tz::Offset;
use jiff::{Span, Timestamp};

/// What programs write when they know no date.
const UNKNOWN: [&str; 2] = ["", "0001-01-01 00:00:00 +0000 UTC"];

/// 1990-01-01: nobody studied with these programs before.
const EARLIEST: Day = Day(7_305);

const SECONDS_PER_MINUTE: i32 = 60;

/// When something was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Its day.
    pub day: Day,
    /// Seconds since 1970 UTC; `None` when only the day is known.
    pub at: Option<i64>,
}

/// How instants become days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Minutes east of UTC that days are counted in; the definition is 0.
    pub offset_minutes: i32,
    /// The day of the run: a later one is a slip of the pen. `None` = any.
    pub today: Option<Day>,
}

impl Reading {
    /// `Ok(None)` where no date is meant.
    ///
    /// # Errors
    /// A fragment that says what is wrong with the text.
    pub fn moment(self, text: &str) -> Result<Option<Moment>, String> {
        let text = text.trim();
        if UNKNOWN.contains(&text) {
            return Ok(None);
        }
        let moment = self.parsed(text).ok_or_else(|| format!("`{}` is no date", excerpt(text)))?;
        if moment.day < EARLIEST {
            return Err(format!("`{}` is before 1990", excerpt(text)));
        }
        if self.today.is_some_and(|today| moment.day > today) {
            return Err(format!("`{}` lies in the future", excerpt(text)));
        }
        Ok(Some(moment))
    }

    /// Whole seconds, then RFC 3339, then a wall clock with or without an offset, then a bare day.
    fn parsed(self, text: &str) -> Option<Moment> {
        if let Ok(seconds) = text.parse::<i64>() {
            return self.instant(Timestamp::from_second(seconds).ok()?);
        }
        if matches!(text.as_bytes().get(10), Some(b'T' | b't')) {
            return self.instant(text.parse().ok()?);
        }
        match text.get(..10).zip(text.get(10..)) {
            Some((date, "")) => Some(Moment { day: day(date.parse().ok()?), at: None }),
            Some(_) => self.instant(wall_clock(text)?),
            None => None,
        }
    }

    fn instant(self, at: Timestamp) -> Option<Moment> {
        let offset = Offset::from_seconds(self.offset_minutes.checked_mul(SECONDS_PER_MINUTE)?).ok()?;
        Some(Moment { day: day(offset.to_datetime(at).date()), at: Some(at.as_second()) })
    }
}

/// `2026-01-02 10:00:00[.123][ +0000[ UTC[ m=+0.5]]]`: the zone's name and what follows say nothing that the offset
/// does not.
fn wall_clock(text: &str) -> Option<Timestamp> {
    let (clock, rest) = text.split_at_checked(19)?;
    let clock: DateTime = clock.parse().ok()?;
    let mut words = rest.split_ascii_whitespace();
    if rest.starts_with('.') {
        words.next().filter(|fraction| fraction[1..].bytes().all(|byte| byte.is_ascii_digit()))?;
    } else if !(rest.is_empty() || rest.starts_with(' ')) {
        return None;
    }
    let offset = words.next().map_or(Some(Offset::UTC), offset)?;
    offset.to_timestamp(clock).ok()
}

/// `+0200`, `-0530`.
fn offset(text: &str) -> Option<Offset> {
    let (sign, digits) = text.split_at_checked(1)?;
    let sign = match sign {
        "+" => 1,
        "-" => -1,
        _ => return None,
    };
    let (hours, minutes) = digits.split_at_checked(2).filter(|_| digits.len() == 4)?;
    let (hours, minutes): (u8, u8) = (hours.parse().ok()?, minutes.parse().ok()?);
    let seconds = (i32::from(hours) * 60 + i32::from(minutes)) * SECONDS_PER_MINUTE;
    Offset::from_seconds(sign * seconds).ok()
}

/// As stored.
fn day(date: Date) -> Day {
    let epoch = jiff::civil::date(1970, 1, 1);
    // From a date to a date jiff counts days only: at most a few million either way.
    let since: Span = date - epoch;
    Day(since.get_days())
}

/// Enough of a text to find it again.
fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Moment>, String> {
        Reading { offset_minutes: 0, today: None }.moment(text)
    }

    fn on(year: i16, month: i8, of_month: i8) -> Day {
        day(jiff::civil::date(year, month, of_month))
    }

    /// The forms of section 2, and the UTC day and second of each.
    #[test]
    fn every_form_gives_its_utc_day() -> Result<(), String> {
        let forms = [
            ("2025-12-31 23:30:00", on(2025, 12, 31), Some(1_767_223_800)),
            ("2026-02-03T04:05:06Z", on(2026, 2, 3), Some(1_770_091_506)),
            ("2026-02-03T01:05:06+02:00", on(2026, 2, 2), Some(1_770_073_506)),
            ("2026-01-02 10:00:00.123 +0000 UTC", on(2026, 1, 2), Some(1_767_348_000)),
            ("2025-12-31 23:30:00 -0500 EST", on(2026, 1, 1), Some(1_767_241_800)),
            ("2026-01-02 10:00:00 +0000 UTC m=+0.5", on(2026, 1, 2), Some(1_767_348_000)),
            ("1767225600", on(2026, 1, 1), Some(1_767_225_600)),
            ("2026-01-02", on(2026, 1, 2), None),
        ];
        for (text, day, at) in forms {
            assert_eq!(read(text)?, Some(Moment { day, at }), "{text}");
        }
        for text in UNKNOWN {
            assert_eq!(read(text)?, None);
        }
        Ok(())
    }

    #[test]
    fn a_fixed_offset_moves_instants_and_no_bare_day() -> Result<(), String> {
        let local = Reading { offset_minutes: 120, today: None };
        assert_eq!(local.moment("2025-12-31 23:30:00")?.map(|m| m.day), Some(on(2026, 1, 1)));
        assert_eq!(local.moment("2025-12-31")?.map(|m| m.day), Some(on(2025, 12, 31)));
        Ok(())
    }

    #[test]
    fn what_is_no_date_or_no_possible_one_is_a_fault() {
        for text in ["yesterday", "2026-13-01", "2026-1-2", "2026-01-02 10:00", "2026-01-02 10:00:00x", "1989-12-31"] {
            assert!(read(text).is_err(), "{text}");
        }
        for text in ["2026-01-02 10:00:00 0200", "2026-01-02 10:00:00 +2:00", "9223372036854775807", "é026-01-02"] {
            assert!(read(text).is_err(), "{text}");
        }
        let reading = Reading { offset_minutes: 0, today: Some(on(2026, 1, 2)) };
        assert!(reading.moment("2026-01-02").is_ok());
        assert!(reading.moment("2026-01-03").is_err());
        assert_eq!(EARLIEST, on(1990, 1, 1));
    }
}
