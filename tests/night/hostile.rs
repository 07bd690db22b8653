//! Files that are meant to harm: names that would act, archives that would write elsewhere or burst, links that lead out.

use super::ends::{archive, end, sources, told, xg};
use super::{Place, Ran, evened};
use crate::support::made::{SGF, XG, made};
use crate::support::{html, sgf_writer, xg_writer};
use portes::tables::facts::MatchRow;
use portes::tables::marts::PlayerSeasonRow;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Cursor;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// Names that would act if anything let them, and how a page may show them.
const HOSTILE: [&str; 8] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "&lt;b&gt; & co",
    "</title></svg><h1>x",
    "{{7*7}}{% raw %}",
    "=HYPERLINK(\"x\")",
    "a\u{202e}dlrow\u{2066}",
    "two\nlines\u{7}\u{1b}[31m",
];

#[test]
fn hostile_names_are_text_on_pages_in_file_names_and_on_a_terminal() {
    let place = Place::new();
    for (n, name) in (30..).zip(HOSTILE) {
        let mut record = made(n, SGF);
        record.players[0].name = name.to_owned();
        record.players[1].name = "Dovetail".to_owned();
        record.event = Some(format!("Open {name}"));
        place.put(Path::new("2026/cup").join(format!("{n}.sgf")), sgf_writer::write(&record));
    }
    let mut record = made(40, SGF);
    record.players[1].name = "x\u{e9}".repeat(5_000);
    place.put("2026/cup/40.sgf", sgf_writer::write(&record));
    let mut record = made(41, XG);
    record.players[0].name = HOSTILE[0].to_owned();
    place.put("2026/<script>alert(2)</script>/41.xg", xg_writer::write(&record));
    let raw = OsStr::from_bytes(b"2026/caf\xE9\n\x1b[31m.xg");
    place.put(Path::new(raw), &xg(42)[..9_000]);
    let ran = place.run(3);
    plain(&ran);
    plain(&place.portes(&["status"]));
    plain(&place.portes(&["inspect", "data/raw/2026/cup/37.sgf"]));

    let pages: Vec<String> = place.pages("2026", "");
    let known: BTreeSet<String> = pages.iter().cloned().collect();
    let mut text = String::new();
    for name in &pages {
        assert!(name.len() < 120 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b)), "{name}");
        let page = place.page("2026", name);
        let faults = html::faults(&page, &known);
        assert!(faults.is_empty(), "{name}: {:#?}", &faults[..faults.len().min(5)]);
        assert!(page.len() < 400_000, "{name}: {} bytes", page.len());
        text.push_str(&html::read(&page).text);
    }
    let text = evened(&text);
    for name in &HOSTILE[..6] {
        assert!(text.contains(name), "{name:?} is shown as it is written");
    }
    assert!(!text.contains(['\u{202e}', '\u{2066}', '\u{7}', '\u{1b}']), "nothing acts");
    assert!(text.contains("caf\\xE9\\u{a}\\u{1b}[31m.xg"), "bytes that are no text are spelled");
    let path = sources(&place).into_keys().find(|path| path.contains("caf")).unwrap();
    assert_eq!(path, "2026/caf\\xE9\\u{a}\\u{1b}[31m.xg");
    let names: BTreeSet<String> = place.rows::<PlayerSeasonRow>().into_iter().filter_map(|row| row.player).collect();
    for name in &HOSTILE[..7] {
        assert!(names.contains(*name), "{name:?} is stored as it is written");
    }
}

/// Nothing that a terminal obeys.
fn plain(ran: &Ran) {
    let acts =
        |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    for text in [&ran.out, &ran.err] {
        assert!(!text.contains(acts), "{text:?}");
    }
}

#[test]
fn archives_are_read_in_place_and_links_are_not_followed() {
    let place = Place::new();
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(elsewhere.path().join("secret.xg"), xg(50)).unwrap();
    place.put("2026/cup/a.xg", xg(51));
    std::os::unix::fs::symlink(elsewhere.path(), place.raw().join("2026/out")).unwrap();
    std::os::unix::fs::symlink(elsewhere.path().join("secret.xg"), place.raw().join("2026/cup/linked.xg")).unwrap();
    std::os::unix::fs::symlink("..", place.raw().join("2026/cup/loop")).unwrap();

    let bomb = vec![b' '; 34 << 20];
    let packed = archive(&[
        ("b.xg", &xg(52)),
        ("../../../../escaped.xg", &xg(53)),
        ("/tmp/absolute.xg", &xg(54)),
        ("inner.zip", &archive(&[("x.xg", &xg(55))])),
        ("bomb.mat", &bomb),
        ("notes.pdf", b"%PDF-1.7"),
    ]);
    let size = zip::ZipArchive::new(Cursor::new(&packed)).unwrap().by_name("bomb.mat").unwrap().compressed_size();
    place.put("2026/cup/c.zip", &packed);
    place.put("2026/cup/torn.zip", &packed[..packed.len() / 2]);
    // In `raw/` itself an archive's own folders name the season; these lead nowhere.
    place.put("top.zip", archive(&[("../../d.xg", &xg(56)), ("//e.xg", &xg(57)), ("2026/f.xg", &xg(58))]));
    let long = format!("{}/g.xg", "season ".repeat(100));
    place.put("long.zip", archive(&[(&long, &xg(59))]));
    place.run(3);
    let cap = (1 << 20) + 64 * size;
    let mut rows = sources(&place);
    let long = rows.keys().find(|path| path.starts_with("long.zip!/")).unwrap().clone();
    assert_eq!(rows.remove(&long).unwrap().status, "ok", "a season of any length");
    told(
        &place,
        &[
            end("2026/cup/c.zip!/../../../../escaped.xg", "quarantined", "path", Some(0)),
            end("2026/cup/c.zip!//tmp/absolute.xg", "quarantined", "path", Some(0)),
            end("2026/cup/c.zip!/inner.zip", "unsupported", "nested_archive", Some(0)),
            end("2026/cup/c.zip!/bomb.mat", "quarantined", "inflated", Some(cap)),
            end("2026/cup/c.zip!/notes.pdf", "ignored", "foreign", None),
            end("2026/cup/torn.zip", "quarantined", "zip", Some(0)),
            end("top.zip!/../../d.xg", "quarantined", "path", Some(0)),
            end("top.zip!///e.xg", "quarantined", "path", Some(0)),
            end("2026/out", "ignored", "link", None),
            end("2026/cup/linked.xg", "ignored", "link", None),
            end("2026/cup/loop", "ignored", "link", None),
        ],
    );
    assert!(!rows.keys().any(|path| ["linked.xg/", "out/", "loop/"].iter().any(|below| path.contains(below))));
    assert_eq!(place.rows::<MatchRow>().len(), 4, "a, b, f and g");
    assert_eq!(place.portes(&["check"]).code, 0);
    // Nothing was written beside the lake and the reports.
    let names = |folder: &Path| {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        entries.collect::<BTreeSet<String>>()
    };
    assert_eq!(names(place.root()), ["data", "reports"].map(str::to_owned).into());
    assert_eq!(names(&place.root().join("data")), ["lake", "raw"].map(str::to_owned).into());
    place.run(0);
}

#[test]
fn what_a_dot_hides_is_no_season_and_no_match() {
    let place = Place::new();
    let bytes = xg_writer::write(&made(60, XG));
    place.put("2026/cup/a.xg", &bytes);
    for hidden in [".stversions/2026/a~1.xg", "2026/.git/b.xg", "2026/cup/._a.xg"] {
        place.put(hidden, xg_writer::write(&made(61, XG)));
    }
    let ran = place.run(0);
    let told = "3 passed over, hidden by a dot: .stversions, 2026/.git, 2026/cup/._a.xg";
    assert_eq!(ran.err.matches(told).count(), 1, "{}", ran.err);
    assert!(ran.out.starts_with("1 file (1 new): 1 ok; 1 match (2026 1)"), "{}", ran.out);
    let quiet = place.portes(&["run", "--quiet"]);
    assert_eq!((quiet.code, quiet.out.as_str(), quiet.err.as_str()), (0, "", ""));
}
