//! Delimited text as people's programs write it: UTF-8 with or without a byte-order mark, fields between commas,
//! semicolons or tabs, names of columns in the first line.

use super::LineFault;
use crate::ingest::record::Rejected;
use std::collections::BTreeMap;

const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The delimiters that are told apart, the preferred one first.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

/// A text without its byte-order mark.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK).unwrap_or(bytes)
}

/// A row by the names of its columns, lower case; what is empty is left out.
pub(super) type Fields = BTreeMap<String, String>;

/// A row with the number of its first line, or why it is none.
pub(super) type Line = Result<(u64, Fields), LineFault>;

/// Largest file that is read: a line is some 120 bytes, so that is a hundred thousand of them, the study of decades.
const LARGEST: usize = 16 << 20;
/// Most lines of a file: short ones cost more memory than bytes.
const MOST_LINES: usize = 200_000;
/// Most columns that are looked at.
const MOST_COLUMNS: usize = 1_000;

/// Refuses what no person's list is, before anything of it is kept.
///
/// # Errors
/// [`Rejected`]: `too_large` or `lines`.
pub(super) fn bounded(bytes: &[u8]) -> Result<(), Rejected> {
    if bytes.len() > LARGEST {
        return Err(Rejected::damaged("too_large", 0, "more than 16 MiB are no log and no list"));
    }
    let lines = |end: u8| bytes.iter().filter(|byte| **byte == end).count();
    if lines(b'\n').max(lines(b'\r')) > MOST_LINES {
        return Err(Rejected::damaged("lines", 0, format!("more than {MOST_LINES} lines are no log and no list")));
    }
    Ok(())
}

/// The names of the columns, and every row that is not blank, one after the other.
pub(super) struct Table<'a> {
    pub(super) columns: Vec<String>,
    bytes: &'a [u8],
    reader: csv::Reader<&'a [u8]>,
    record: csv::ByteRecord,
}

/// Begins to read a text; quotes hold delimiters and line breaks as usual.
pub(super) fn read(bytes: &[u8]) -> Table<'_> {
    let bytes = without_mark(bytes);
    let reader = csv::ReaderBuilder::new()
        .delimiter(delimiter(bytes))
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(bytes);
    let mut table = Table { columns: Vec::new(), bytes, reader, record: csv::ByteRecord::new() };
    if table.advance() {
        let names = table.record.iter().take(MOST_COLUMNS);
        table.columns = names.map(|name| String::from_utf8_lossy(name).trim().to_ascii_lowercase()).collect();
    }
    table
}

impl Table<'_> {
    /// Reading from memory cannot fail, and a flexible reader takes every number of fields.
    fn advance(&mut self) -> bool {
        self.reader.read_byte_record(&mut self.record).unwrap_or(false)
    }
}

impl Iterator for Table<'_> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        while self.advance() {
            if self.record.iter().any(|field| !field.is_empty()) {
                let line = self.record.position().map_or(0, |start| first_line(self.bytes, start));
                return Some(fields(&self.columns, &self.record, line));
            }
        }
        None
    }
}

/// A record's own first line: the reader counts the blank lines before it as its beginning.
fn first_line(bytes: &[u8], start: &csv::Position) -> u64 {
    let from = usize::try_from(start.byte()).unwrap_or(usize::MAX);
    let blank = bytes.get(from..).unwrap_or_default().iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    start.line() + blank.fold(0, |lines, byte| lines + u64::from(*byte == b'\n'))
}

/// The delimiter that the first line has most of.
fn delimiter(bytes: &[u8]) -> u8 {
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let count = |delimiter: &u8| first.iter().filter(|byte| *byte == delimiter).count();
    let [preferred, ..] = DELIMITERS;
    DELIMITERS.into_iter().rev().max_by_key(count).unwrap_or(preferred)
}

fn fields(columns: &[String], record: &csv::ByteRecord, line: u64) -> Line {
    let mut fields = Fields::new();
    for (name, field) in columns.iter().zip(record) {
        let text = std::str::from_utf8(field)
            .map_err(|_| LineFault { line, reason: format!("column `{name}` is not UTF-8") })?;
        if !text.is_empty() {
            fields.insert(name.clone(), text.to_owned());
        }
    }
    Ok((line, fields))
}
