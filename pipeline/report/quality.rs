//! What became of every file: counts by status, and every file that is not plainly `ok` with its reason, the first byte
//! that does not fit, and the detail. Paths are shown as the tables store them, cut and neutralised.

use super::names::{NAME, PATH, shown};
use super::parts::{Head, Link, foot, to_index};
use super::{Page, QUALITY, QualityInput, ReportFault, Templates, format, words};
use crate::tables::facts::SourceRow;
use serde::Serialize;

/// Statuses in the order in which they are told, with what each means.
const STATUSES: [(&str, &str); 8] = [
    ("ok", "read whole; what was passed over, if anything, is listed"),
    ("duplicate", "same content as another file"),
    ("superseded", "an earlier save of a match that another file holds further"),
    ("unrated", "read; nothing in it is analysed"),
    ("partial", "complete games kept, the rest is damaged"),
    ("quarantined", "rejected, nothing of it is used"),
    ("unsupported", "a known kind that is not read"),
    ("ignored", "no match file, or one that could not be read that night"),
];
/// Rows of a page.
const ROWS_A_PAGE: usize = 500;

/// How many files have a status.
#[derive(Debug, Serialize)]
pub(super) struct StatusCount {
    status: String,
    files: String,
    meaning: &'static str,
}

#[derive(Serialize)]
struct QualityView {
    head: Head,
    foot: Vec<String>,
    statuses: Vec<StatusCount>,
    files: Vec<FileRow>,
    pages: Vec<Link>,
}

#[derive(Serialize)]
struct FileRow {
    path: String,
    status: String,
    format: String,
    reason: String,
    offset: String,
    detail: String,
    size: String,
}

/// Counts by status, and the sentence that sums them up.
pub(super) fn by_status(sources: &[SourceRow]) -> (Vec<StatusCount>, String) {
    let count = |status: &str| sources.iter().filter(|row| row.status == status).count();
    let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let unknown = sources.iter().filter(|row| STATUSES.iter().all(|(status, _)| row.status != *status)).count();
    let counts = STATUSES
        .into_iter()
        .map(|(status, meaning)| (status, count(status), meaning))
        .chain([("other", unknown, "a status this page does not know")])
        .filter(|(_, n, _)| *n > 0)
        .map(|(status, n, meaning)| StatusCount { status: status.to_owned(), files: format::count(number(n)), meaning })
        .collect();
    let (damaged, partial) = (count("quarantined"), count("partial"));
    let say = match (sources.len(), damaged, partial) {
        (0, ..) => "No file was found.".to_owned(),
        (n, 0, 0) => {
            let passed = sources.iter().filter(|row| row.status == "ok" && row.reason.is_some()).count();
            let but = match passed {
                0 => String::new(),
                passed => format!(
                    " In {} something that cannot be was passed over.",
                    words::counted(number(passed), "of them", "of them")
                ),
            };
            format!("{}, none damaged.{but}", words::sentence(&words::counted(number(n), "file", "files")))
        }
        (n, damaged, partial) => {
            let mut ends = Vec::new();
            if damaged > 0 {
                ends.push(words::counted(number(damaged), "was rejected", "were rejected"));
            }
            if partial > 0 {
                ends.push(words::counted(number(partial), "is damaged in part", "are damaged in part"));
            }
            format!("Of {}, {}.", words::counted(number(n), "file", "files"), words::list(&ends))
        }
    };
    (counts, say)
}

/// The page of files; more than 500 that are not `ok` continue on further pages.
///
/// # Errors
/// [`ReportFault`] when a template does not fit its view.
pub fn quality_pages(templates: &Templates, input: &QualityInput<'_>) -> Result<Vec<Page>, ReportFault> {
    let mut files: Vec<&SourceRow> =
        input.sources.iter().filter(|row| row.status != "ok" || row.reason.is_some()).collect();
    files.sort_by_key(|row| (row.gravity(), &row.path));
    let chunks: Vec<&[&SourceRow]> = if files.is_empty() { vec![&[]] } else { files.chunks(ROWS_A_PAGE).collect() };
    let name = |at: usize| if at == 0 { QUALITY.to_owned() } else { format!("quality-{}.html", at + 1) };
    let season = shown(input.season, NAME);
    chunks
        .iter()
        .enumerate()
        .map(|(at, chunk)| {
            let (statuses, say) = by_status(input.sources);
            let view = QualityView {
                head: Head {
                    title: format!("Files \u{b7} season {season} \u{b7} Portes"),
                    description: format!("What became of every file of season {season}"),
                    links: vec![to_index(input.season)],
                    here: "Files".to_owned(),
                    kicker: format!("Season {season}"),
                    heading: "What became of the files".to_owned(),
                    standfirst: say,
                },
                foot: foot(input.colophon),
                statuses,
                files: chunk.iter().map(|row| file(row)).collect(),
                pages: match chunks.len() {
                    1 => Vec::new(),
                    of => (0..of)
                        .map(|other| Link { label: (other + 1).to_string(), href: (other != at).then(|| name(other)) })
                        .collect(),
                },
            };
            templates.page("quality.html", name(at), &view)
        })
        .collect()
}

fn file(row: &SourceRow) -> FileRow {
    let or_absent =
        |text: &Option<String>| text.as_deref().map_or_else(|| format::ABSENT.to_owned(), |text| shown(text, PATH));
    FileRow {
        path: shown(&row.path, PATH),
        status: shown(&row.status, NAME),
        format: or_absent(&row.format),
        reason: row
            .reason
            .as_deref()
            .map_or_else(|| format::ABSENT.to_owned(), |reason| words::token(&shown(reason, NAME))),
        offset: row.offset.map_or_else(|| format::ABSENT.to_owned(), format::count),
        detail: or_absent(&row.detail),
        size: format::count(row.size),
    }
}
