//! Delimited text as people's programs write it: UTF-8 with or without a byte-order mark, fields between commas,
//! semicolons or tabs, names of columns in the first line.

use super::LineFault;
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

/// The names of the columns and every row that is not blank.
pub(super) struct Table {
    pub(super) columns: Vec<String>,
    pub(super) lines: Vec<Line>,
}

/// Reads a whole text; quotes hold delimiters and line breaks as usual.
pub(super) fn read(bytes: &[u8]) -> Table {
    let bytes = without_mark(bytes);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter(bytes))
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(bytes);
    let mut table = Table { columns: Vec::new(), lines: Vec::new() };
    let mut record = csv::ByteRecord::new();
    // Reading from memory cannot fail, and a flexible reader takes every number of fields.
    while reader.read_byte_record(&mut record).unwrap_or(false) {
        let line = record.position().map_or(0, |start| first_line(bytes, start));
        if table.columns.is_empty() {
            table.columns =
                record.iter().map(|name| String::from_utf8_lossy(name).trim().to_ascii_lowercase()).collect();
            continue;
        }
        if record.iter().any(|field| !field.is_empty()) {
            table.lines.push(fields(&table.columns, &record, line));
        }
    }
    table
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
