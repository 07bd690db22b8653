//! The lines of "The documented end of bad input" and "Hostile input" (`nightly.md`), and where each is shown.
//!
//! | line | shown by |
//! |---|---|
//! | empty, cut or broken `.xg`, JPEG, no complete game, random bytes; SGF or `.mat` cut later; foreign; folder `x.sgf`; money, 70 points, interrupted, no analysis | `ends::every_bad_file_has_its_documented_end_and_costs_nothing_else` |
//! | known but unread kind | the same, and here: every kind, archives and packages among them |
//! | illegal play, play not among the candidates | `ends::an_illegal_or_unlisted_play_is_one_unrated_decision_of_a_match_that_is_kept` |
//! | a panic of ours | `night::scan`'s own test, for no input is known that makes one |
//! | only `quarantined` counts as rejected | here |
//! | `.xg`: lengths, inflating, record stream, unknown kinds; RTF | `formats_xg::malformed`, `formats_xg::pitfalls` |
//! | text: 64 MiB | here; nesting in `ends`, encodings in `formats_sgf::malformed` |
//! | archives: `..`, absolute, links, bombs, entries | `hostile::archives_are_read_in_place_and_links_are_not_followed`, `ingest::archive` |
//! | walk: links, loops, devices, names that are not UTF-8 | `hostile`, and here |
//! | names in HTML, file names, on a terminal | `hostile::hostile_names_are_text_on_pages_in_file_names_and_on_a_terminal`, and here: SVG, comments, cells, every command |

use super::ends::{archive, end, sources, told, xg};
use super::{Place, Ran};
use crate::support::made::{SGF, XG, made};
use crate::support::{sgf_writer, xg_writer};
use portes::ingest::record::Comment;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

/// "Known but unread kind": `unsupported`, each with its own token, and the run ends well: they are not rejected.
#[test]
fn every_known_kind_that_is_not_read_is_unsupported_and_nobody_is_alarmed() {
    let place = Place::new();
    place.put("2026/a.xg", xg(1));
    let position = " +13-14-15-16-17-18------19-20-21-22-23-24-+\nPosition-ID: 4HPwATDgc/ABMA Match-ID: cIkKAAAAAAAA\n";
    let party = "creator=PartyGammon\nboardid=1\n";
    let snowie = format!("1;2;{}", ";".repeat(37));
    let tar = [&[b'x'; 257][..], b"ustar", &[0; 250]].concat();
    let anki = archive(&[("collection.anki2", b"SQLite format 3\0")]);
    let kinds: [(&str, &[u8], &str); 18] = [
        ("a.bgf", b"{\"useSmile\":false}\n:)\n", "bgblitz"),
        ("b.bgf", b"bgf version 1\n", "bgroom"),
        ("c.ogxm", b"OGXM\x02", "ogxm"),
        ("d.json", b"{\"games\":[{\"plies\":[]}]}", "ogxm_json"),
        ("e.apkg", &anki, "anki"),
        ("f.db", b"SQLite format 3\0", "sqlite"),
        ("g.sgf", b"(;FF[4]GM[1]SZ[19];B[aa])", "other_sgf"),
        ("h.txt", b"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n", "xg_position"),
        ("i.txt", position.as_bytes(), "bgblitz_position"),
        ("j.txt", snowie.as_bytes(), "snowie"),
        ("k.match", b"bgammon-replay 1\n", "bgammon"),
        ("l.sgg", b"one vs. other\n", "gamesgrid"),
        ("m.gam", party.as_bytes(), "partygammon"),
        ("n.pos", &[125, 0, 0, 0], "jellyfish_position"),
        ("o.txt", b"Score is 1-0 in a 5 point match.\n", "fibs"),
        ("p.tar", &tar, "archive"),
        ("q.zst", b"\x28\xB5\x2F\xFD\x04", "archive"),
        ("r.xg", b"\x1F\x8B\x08\0", "archive"),
    ];
    let mut ends = Vec::new();
    for (name, bytes, token) in kinds {
        let path: &str = Box::leak(format!("2026/kinds/{name}").into_boxed_str());
        place.put(path, bytes);
        ends.push(end(path, "unsupported", token, Some(0)));
    }
    place.run(0);
    told(&place, &ends);
}

/// "Text formats: 64 MiB", and archives are bounded before they are read.
#[test]
fn a_file_larger_than_any_match_is_refused() {
    let place = Place::new();
    place.put("2026/a.xg", xg(1));
    for (path, bytes) in [("2026/text.sgf", (64 << 20) + 1), ("2026/huge.zip", (128u64 << 20) + 1)] {
        place.put(path, "");
        File::options().write(true).open(place.raw().join(path)).unwrap().set_len(bytes).unwrap();
    }
    place.run(3);
    told(
        &place,
        &[
            end("2026/text.sgf", "quarantined", "too_large", Some(0)),
            end("2026/huge.zip", "quarantined", "too_large", None),
        ],
    );
}

/// "Folder walk": what is no file is passed over, whatever its name promises; a name of any bytes has one spelling.
#[test]
fn devices_loops_and_names_of_any_bytes_do_not_stop_the_walk() {
    let place = Place::new();
    place.put("2026/cup/a.xg", xg(1));
    let cup = place.raw().join("2026/cup");
    assert!(Command::new("mkfifo").arg(cup.join("pipe.xg")).status().unwrap().success());
    let _socket = UnixListener::bind(cup.join("socket.sgf")).unwrap();
    let links =
        [("loop.xg", "loop.xg"), ("../cup", "again"), ("/dev/zero", "zero.xg"), ("/etc", "etc.sgf"), ("gone", "g.xg")];
    for (to, name) in links {
        std::os::unix::fs::symlink(to, cup.join(name)).unwrap();
    }
    place.put(Path::new(OsStr::from_bytes(b"2026/\xE9t\xE9/x.sgf/\xFF\xFE.xg")), xg(2));
    place.put("2026/back\\xE9slash.xg", xg(3));
    place.run(0);
    let (linked, files): (Vec<_>, Vec<_>) =
        sources(&place).into_values().partition(|row| row.reason.as_deref() == Some("link"));
    let named: BTreeSet<&str> = linked.iter().map(|row| row.path.as_str()).collect();
    assert_eq!(named, links.map(|(_, name)| format!("2026/cup/{name}")).iter().map(String::as_str).collect());
    assert!(linked.iter().all(|row| row.status == "ignored" && row.blake3.is_empty()), "{linked:?}");
    assert!(place.run(0).out.starts_with("nothing to do: "));
    let paths: Vec<String> = files.into_iter().map(|row| row.path).collect();
    assert_eq!(paths, ["2026/\\xE9t\\xE9/x.sgf/\\xFF\\xFE.xg", "2026/back\\\\xE9slash.xg", "2026/cup/a.xg"]);
    assert!(place.portes(&["status"]).out.contains("season 2026: 8 files, 3 matches"));
}

/// What would act as markup, in templates, in a spreadsheet or on a terminal.
const ACTING: [&str; 12] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "</title></svg><h1>x",
    "</style><script>x",
    "--><b>",
    "' onmouseover='x",
    "{{7*7}}",
    "=1+1",
    "+1",
    "-1+1|cmd",
    "@SUM(A1)",
    "a\u{1b}]0;title\u{7}\u{202e}\u{9b}31m\r\nb\tc",
];

/// Every place of a match that takes text says it.
fn acting(n: u64, text: &str) -> Vec<u8> {
    let mut record = made(n, SGF);
    record.players[0].name = text.to_owned();
    record.players[1].rating = Some(text.to_owned());
    record.event = Some(text.to_owned());
    record.round = Some(text.to_owned());
    record.place = Some(text.to_owned());
    record.annotator = Some(text.to_owned());
    let comment = |action| Comment { game: Some(0), action, text: text.to_owned() };
    record.comments = vec![comment(None), comment(Some(0)), comment(Some(3))];
    sgf_writer::write(&record)
}

/// "Names in reports": as text, wherever it stands. The season's name is a stranger's too.
#[test]
fn text_that_would_act_stands_escaped_in_pages_cells_and_on_a_terminal() {
    let place = Place::new();
    for (n, text) in (100..).zip(ACTING) {
        place.put(format!("=season/<cup>/{n}.sgf"), acting(n, text));
    }
    let mut record = made(200, XG);
    record.event = Some("e".repeat(10_000));
    record.players[0].name = "n".repeat(10_000);
    place.put("=season/<cup>/200.xg", xg_writer::write(&record));
    place.put("=season/<cup>/-\u{1b}[31m=\u{202e}.xg", "not a match");
    place.put("=season/<cup>/places.csv", format!("player,place\n{},1\n=2+2,2\n", ACTING[0]));
    place.put("=season/<cup>/study.csv", "date,match,game,move,player,note\n2026-01-05,=x,1,1,@y,<b>\n");
    place.put("=season/bad.zip", archive(&[("\u{1b}[31m.xg", b"x"), ("../=1.xg", b"x")]));
    plain(&place.run(3));
    for words in [&["status"][..], &["names"], &["config"], &["check"], &["render"], &["run", "--log", "json"]] {
        plain(&place.portes(words));
    }
    for n in (100..).take(ACTING.len()) {
        plain(&place.portes(&["inspect", &format!("data/raw/=season/<cup>/{n}.sgf")]));
    }
    plain(&place.portes(&["inspect", "data/raw/=season/bad.zip"]));
    plain(&place.portes(&["inspect", "data/raw/=season/<cup>/-\u{1b}[31m=\u{202e}.xg"]));
    plain(&place.portes(&["run", "--season", "\u{1b}[31m"]));
    pages(&place);
    for mart in ["player_match", "player_season", "standings", "tournament_review", "head_to_head", "worst_decisions"] {
        let ran = place.portes(&["measure", "--only", mart]);
        assert_eq!(ran.code, 0, "{mart}: {}", ran.err);
        cells(mart, &ran);
    }
}

/// Nothing that a terminal obeys, but the ends of lines and the tabs between cells.
fn plain(ran: &Ran) {
    let acts = |c: char| {
        (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    for text in [&ran.out, &ran.err] {
        assert!(!text.contains(acts), "{text:?}");
    }
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
}

fn pages(place: &Place) {
    let names = place.pages("=season", "");
    let mut graphics = 0;
    for name in &names {
        let page = place.page("=season", name);
        for text in ["<script", "<img", "<h1>x", "--><b>", "' onmouseover='", "\u{1b}", "\u{202e}", "<cup>"] {
            assert!(!page.contains(text), "{name} holds {text:?}");
        }
        // Graphics end where they should: what a name says cannot close one.
        assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count(), "{name}");
        graphics += page.matches("<svg").count();
        assert!(name.len() < 120 && page.len() < 1 << 20, "{name}: {} bytes", page.len());
    }
    assert!(names.len() > 25 && graphics > 20);
}

/// No cell of text begins a formula; numbers keep their sign.
fn cells(mart: &str, ran: &Ran) {
    plain(ran);
    let mut texts = 0;
    for cell in ran.out.lines().flat_map(|line| line.split('\t')) {
        let formula = cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
        assert!(!formula, "{mart}: {cell:?}");
        texts += usize::from(cell.starts_with("'="));
    }
    assert!(texts > 0, "{mart} names the season `=season`");
}
