//! Files spoilt on purpose, for the promise that no input stops a reader (`nightly.md`, hostile input; mutation).
//!
//! A [`Fixture`] is a sound file and the reader it is for. [`Fixture::at_random`] spoils it by chance, the same for the same
//! number; [`Fixture::one_by_one`] goes through its boundaries and its fields. Files of XG are spoilt both as they lie on
//! disk and within, with their checksums right, or no change would get past the container. [`Fixture::meet`] hands the
//! bytes to the reader and what it accepts to everything that a night does with one match before it is written.

use super::made::{Chance, SGF, Shape, XG, made};
use super::xg_container::{self, ENTRY, TRAILER, sealed, stored};
use super::xg_writer::{HEADER, RECORD};
use super::{mat_writer, sgf_writer, xg_writer};
use portes::config::file::File;
use portes::ingest::record::{Comment, Record};
use portes::ingest::study::date::Reading;
use portes::ingest::study::rows::{self, Sheet};
use portes::ingest::study::{log, places};
use portes::ingest::weight::Weight;
use portes::ingest::{archive, facts, identity, mat, outcome, recognise, sgf, xg};
use portes::measure::standings::{self, Bonus};
use portes::rate::{Rules, partials, rate, rulings};
use std::io::{Cursor, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use zip::write::SimpleFileOptions;

/// Which reader a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reader {
    Xg,
    Sgf,
    Mat,
    Zip,
    StudyLog,
    Places,
    Config,
}

/// A sound file.
pub struct Fixture {
    pub name: String,
    pub reader: Reader,
    pub bytes: Vec<u8>,
    /// Of an `.xg`, inflated.
    members: Vec<(String, Vec<u8>)>,
}

/// What came of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Came {
    /// Told, with a reason.
    Refused,
    /// Read, rated and summed.
    Accepted,
    /// A fault of ours.
    Panicked,
}

/// Bytes that mean something to some reader.
const TELLING: &[u8] = b"[]();\\ABWDEXGM{}\"',:=+-./0123456789%*\n\r\t \0\x01\x02\x7f\x80\xff\xc3\xfe";
/// Numbers that break what trusts them.
const NUMBERS: [&str; 12] = [
    "0",
    "1",
    "-1",
    "255",
    "256",
    "2147483647",
    "-2147483648",
    "4294967295",
    "9223372036854775808",
    "1e308",
    "nan",
    "00000000000000000000000000000000000000000000000000",
];
/// The same for fields of bytes: whole numbers of two and four bytes, floats of four and eight.
const FIELDS: [&[u8]; 14] = [
    &[0, 0],
    &[1, 0],
    &[0xff, 0xff],
    &[0xff, 0x7f],
    &[0, 0, 0, 0],
    &[1, 0, 0, 0],
    &[0xff, 0xff, 0xff, 0xff],
    &[0xff, 0xff, 0xff, 0x7f],
    &[0, 0, 0, 0x80],
    &[0, 0, 0xc0, 0x7f],
    &[0, 0, 0x80, 0x7f],
    &[0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
    &[0, 0, 0, 0, 0, 0, 0xf0, 0xff],
    &[0xa0, 0xc8, 0xeb, 0x85, 0xf3, 0xcc, 0xe1, 0x7f],
];

/// What a length may lie: 0, 1, most, and most of the other sign.
const LENGTHS: [&[u8]; 4] = [&[0, 0, 0, 0], &[1, 0, 0, 0], &[0xff, 0xff, 0xff, 0x7f], &[0xff, 0xff, 0xff, 0xff]];

/// Where a record of a stream has its kind.
const KIND: usize = 8;

/// Matches short enough that a million of them are read in minutes.
const SHORT: u8 = 1;

/// One of every kind, made here; names tell them apart.
pub fn fixtures() -> Vec<Fixture> {
    let mut all = Vec::new();
    for (seed, length, candidates) in [(1, SHORT, 2), (2, SHORT, 4), (3, 3, 3)] {
        let xg = spoken(made(seed, Shape { length, candidates, ..XG }));
        let sgf = spoken(made(seed, Shape { length, candidates, ..SGF }));
        all.push(Fixture::new(format!("{seed}.xg"), Reader::Xg, xg_writer::write(&xg)));
        all.push(Fixture::new(format!("{seed}.sgf"), Reader::Sgf, sgf_writer::write(&sgf)));
        all.push(Fixture::new(format!("{seed}.mat"), Reader::Mat, mat_writer::write(&sgf)));
    }
    let [sgf, mat] = [1, 2].map(|at| all[at].bytes.clone());
    all.push(Fixture::new("all.zip".to_owned(), Reader::Zip, zipped(&[("a/1.sgf", &sgf), ("b.mat", &mat)])));
    for (name, reader, text) in [
        ("study.csv", Reader::StudyLog, STUDY_CSV),
        ("study.jsonl", Reader::StudyLog, STUDY_JSONL),
        ("places.csv", Reader::Places, PLACES),
        ("portes.toml", Reader::Config, CONFIG),
    ] {
        all.push(Fixture::new(name.to_owned(), reader, text.as_bytes().to_vec()));
    }
    all
}

/// With comments that need RTF, markup and several lines.
fn spoken(mut record: Record) -> Record {
    let comment = |game, action, text: &str| Comment { game, action, text: text.to_owned() };
    record.comments = vec![
        comment(None, None, "caf\u{e9} {\\b not bold} \u{4e2d}\n\u{1f600} tab\tend"),
        comment(Some(0), None, "plain]\\ text"),
        comment(Some(0), Some(1), "two\nlines \u{fb01}"),
    ];
    record
}

pub(crate) fn zipped(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        writer.start_file((*name).to_owned(), SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

const STUDY_CSV: &str = "date,position,action,result,player,note
2026-01-05,XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10,review,good,Bramblewick,\"opening, 31\"
2026-01-06T20:15:00Z,4HPwATDgc/ABMA:cIkKAAAAAAAA,quiz,-0.041,Bramblewick,
1767700000,XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:6:1:7:10,mark,,,\u{e9}
";
const STUDY_JSONL: &str = r#"{"date": "2026-01-05", "position": "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10", "action": "lesson"}
{"date": 1767700000, "match": "granary-cup.sgf", "game": 2, "move": 14, "result": "wrong", "note": "caf\u00e9"}

{"date": "2026-01-07", "position": "4HPwATDgc/ABMA:cIkKAAAAAAAA", "result": 0.08, "player": "Dovetail"}
"#;
const PLACES: &str = "player;place\nBramblewick;1\n\"Hollow Beck\";2\nDovetail;3\n\u{c9}mberline;3\nGristmill;5\n";
const CONFIG: &str = "[players]\nmain = \"A\"\naliases = { \"A\" = [\"a\", \"\u{e1}\"] }\n[thresholds]\nerror = 50\nblunder = 100\n\
    [counting]\nforced = \"xg\"\n[interval]\nquantile = \"student\"\n[study]\nsources = [\"s.csv\"]\n[retention]\nsnapshots = 3\n";

impl Fixture {
    /// A file, whose members are looked up where it is one of XG's.
    pub fn new(name: String, reader: Reader, bytes: Vec<u8>) -> Self {
        let members = if reader == Reader::Xg { xg_container::members(&bytes).unwrap_or_default() } else { Vec::new() };
        Self { name, reader, bytes, members }
    }

    /// Spoilt by chance, with pieces of `donor` here and there.
    pub fn at_random(&self, donor: &Self, chance: &mut Chance) -> Vec<u8> {
        let many = chance.below(4) == 0;
        let edits = 1 + chance.below(if many { 16 } else { 3 });
        if self.members.is_empty() || chance.below(4) == 0 {
            let mut bytes = self.bytes.clone();
            for _ in 0..edits {
                edit(&mut bytes, &donor.bytes, chance);
            }
            return if self.reader == Reader::Xg && chance.below(2) == 0 { resealed(bytes) } else { bytes };
        }
        let mut members = self.members.clone();
        for _ in 0..edits {
            let at = pick(chance, members.len());
            let content = &mut members[at].1;
            match chance.below(4) {
                0 => edit(content, &donor.bytes, chance),
                1 if content.len() > 2 * RECORD => shuffle(content, chance),
                _ => overwrite(content, chance),
            }
        }
        stored(&named(&members))
    }

    /// Cut at every boundary, and every field set to what lies: each in turn.
    pub fn one_by_one(&self, each: &mut dyn FnMut(&[u8])) {
        match self.reader {
            Reader::Xg => self.of_xg(each),
            Reader::Zip => {
                cut_at(&self.bytes, (0..=self.bytes.len()).step_by(7), each);
                fields_set(&self.bytes, (0..self.bytes.len()).filter(|at| near_signature(&self.bytes, *at)), each);
            }
            _ => self.of_text(each),
        }
    }

    fn of_xg(&self, each: &mut dyn FnMut(&[u8])) {
        let size = self.bytes.len();
        let edges = (0..64).chain((64..size).step_by(997)).chain(size.saturating_sub(2 * TRAILER)..size);
        cut_at(&self.bytes, edges, each);
        let container = stored(&named(&self.members));
        let registry = container.len() - TRAILER - ENTRY * self.members.len();
        let lengths = |entry: usize| [0, 512, 516, 520, 524, 528].map(|at| registry + entry * ENTRY + at);
        let in_registry = (0..self.members.len()).flat_map(lengths);
        let in_trailer = (4..TRAILER - 8).step_by(4).map(|at| container.len() - TRAILER + at);
        fields_set(&container, (4..64).step_by(4).chain(in_registry).chain(in_trailer), &mut |bytes| {
            each(bytes);
            each(&sealed(bytes.to_vec()));
        });
        for (at, (name, content)) in self.members.iter().enumerate() {
            let mut with = |content: &[u8]| {
                let mut members = self.members.clone();
                members[at].1 = content.to_vec();
                each(&stored(&named(&members)));
            };
            if name != "temp.xg" {
                cut_at(content, (0..content.len()).step_by(31), &mut with);
                continue;
            }
            cut_at(content, (0..content.len()).step_by(RECORD).flat_map(|at| [at, at + 9]), &mut with);
            let short = firsts(content);
            let said = |at: &usize| at % RECORD < 64 || short[*at..at + 4] != [0; 4];
            fields_set(&short, (0..short.len()).step_by(4).filter(said), &mut with);
        }
    }

    fn of_text(&self, each: &mut dyn FnMut(&[u8])) {
        let bytes = &self.bytes;
        cut_at(bytes, (0..bytes.len()).filter(|&at| b"\n;[](){}\",".contains(&bytes[at])), each);
        for (from, to) in numbers(bytes) {
            for number in NUMBERS {
                each(&[&bytes[..from], number.as_bytes(), &bytes[to..]].concat());
            }
        }
    }

    /// Hands bytes to the reader, and a match that it accepts to identity, facts, rating, rulings and sums.
    pub fn meet(&self, bytes: &[u8]) -> Came {
        let met = catch_unwind(AssertUnwindSafe(|| {
            std::hint::black_box(recognise::recognise(bytes));
            match self.reader {
                Reader::Xg => xg::read(bytes).is_ok_and(|record| taken(&record)),
                Reader::Sgf => sgf::read(bytes).is_ok_and(|record| taken(&record)),
                Reader::Mat => mat::read(bytes).is_ok_and(|record| taken(&record)),
                Reader::Zip => unpacked(bytes),
                Reader::StudyLog => studied(bytes),
                Reader::Places => placed(bytes),
                Reader::Config => std::str::from_utf8(bytes).is_ok_and(|text| File::parse(text).is_ok()),
            }
        }));
        match met {
            Ok(true) => Came::Accepted,
            Ok(false) => Came::Refused,
            Err(_) => Came::Panicked,
        }
    }
}

/// Whatever a night does with a record before anything is written. Always true: what is accepted has to get through.
fn taken(record: &Record) -> bool {
    let identity = identity::identity(record, &[7; 32]);
    std::hint::black_box((Weight::of(record), outcome::outcome(record)));
    let mut facts = facts::facts(record, &identity.match_id, "2026");
    let rules = Rules::default();
    rate(&mut facts.decisions, &facts.candidates, &rules);
    std::hint::black_box(rulings::rulings(&facts.decisions, "source"));
    std::hint::black_box(partials::partials(&facts.decisions, &facts.candidates, &rules));
    true
}

fn unpacked(bytes: &[u8]) -> bool {
    let read = archive::members(bytes, &mut |member| {
        let Ok(content) = member.content else { return };
        if let Ok(record) = portes::ingest::read(&content, &member.raw_name) {
            taken(&record);
        }
    });
    read.is_ok()
}

fn studied(bytes: &[u8]) -> bool {
    let Ok(log) = log::read(bytes, Reading::default()) else { return false };
    let sheet = Sheet { file: "study.csv", owner: Some("Bramblewick"), log: &log };
    std::hint::black_box(rows::rows(&[sheet], &str::to_owned));
    true
}

fn placed(bytes: &[u8]) -> bool {
    let Ok(read) = places::read(bytes) else { return false };
    let places: Vec<(String, u32)> = read.places.into_iter().map(|place| (place.player, place.place)).collect();
    std::hint::black_box(standings::places_points(("2026", "Cup"), &places, Bonus::default()));
    true
}

fn pick(chance: &mut Chance, below: usize) -> usize {
    usize::try_from(chance.below(below.max(1) as u64)).unwrap()
}

fn named(members: &[(String, Vec<u8>)]) -> Vec<(&str, Vec<u8>)> {
    members.iter().map(|(name, content)| (name.as_str(), content.clone())).collect()
}

fn resealed(bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() < HEADER + TRAILER { bytes } else { sealed(bytes) }
}

/// Bytes changed, inserted, taken out, doubled, taken from another file, cut.
fn edit(bytes: &mut Vec<u8>, donor: &[u8], chance: &mut Chance) {
    if bytes.is_empty() {
        bytes.push(TELLING[pick(chance, TELLING.len())]);
        return;
    }
    let at = pick(chance, bytes.len());
    let piece = |of: &[u8], chance: &mut Chance| {
        let from = pick(chance, of.len());
        of[from..(from + 1 + pick(chance, 600)).min(of.len())].to_vec()
    };
    match chance.below(10) {
        0..=2 => overwrite(bytes, chance),
        3 => bytes.insert(at, TELLING[pick(chance, TELLING.len())]),
        4 => _ = bytes.drain(at..(at + 1 + pick(chance, 300)).min(bytes.len())),
        5 => {
            let piece = piece(bytes, chance);
            bytes.splice(at..at, piece);
        }
        6 => {
            let piece = piece(donor, chance);
            bytes.splice(at..at, piece);
        }
        7 | 8 => {
            let from = bytes[at..].iter().position(u8::is_ascii_digit).map_or(at, |found| at + found);
            let to = from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            bytes.splice(from..to, NUMBERS[pick(chance, NUMBERS.len())].bytes());
        }
        _ if chance.below(4) == 0 => bytes.truncate(at),
        _ => bytes[at] = TELLING[pick(chance, TELLING.len())],
    }
}

/// A bit, a byte or a field, the length staying.
fn overwrite(bytes: &mut [u8], chance: &mut Chance) {
    if bytes.is_empty() {
        return;
    }
    let mut at = pick(chance, bytes.len());
    match chance.below(3) {
        0 => bytes[at] ^= 1 << chance.below(8),
        1 => bytes[at] = u8::try_from(chance.below(256)).unwrap(),
        _ => {
            let field = FIELDS[pick(chance, FIELDS.len())];
            at -= at % field.len().min(4);
            let end = (at + field.len()).min(bytes.len());
            bytes[at..end].copy_from_slice(&field[..end - at]);
        }
    }
}

/// Whole records exchanged, doubled or dropped, or their kind changed.
fn shuffle(stream: &mut Vec<u8>, chance: &mut Chance) {
    let [a, b] = [0; 2].map(|_| RECORD * pick(chance, stream.len() / RECORD));
    let record = stream[a..a + RECORD].to_vec();
    match chance.below(4) {
        0 => stream.copy_within(b..b + RECORD, a),
        1 => _ = stream.splice(b..b, record),
        2 => _ = stream.drain(a..a + RECORD),
        _ => stream[a + KIND] = u8::try_from(chance.below(12)).unwrap(),
    }
}

fn cut_at(bytes: &[u8], edges: impl Iterator<Item = usize>, each: &mut dyn FnMut(&[u8])) {
    for edge in edges.filter(|&edge| edge <= bytes.len()) {
        each(&bytes[..edge]);
    }
}

fn fields_set(bytes: &[u8], places: impl Iterator<Item = usize>, each: &mut dyn FnMut(&[u8])) {
    for at in places {
        for field in LENGTHS.iter().filter(|field| at + field.len() <= bytes.len()) {
            let mut changed = bytes.to_vec();
            changed[at..at + field.len()].copy_from_slice(field);
            each(&changed);
        }
    }
}

/// A stream of the first record of each kind: every field there is, and quickly read.
fn firsts(stream: &[u8]) -> Vec<u8> {
    let mut seen = [false; 256];
    let first = |record: &&[u8]| !std::mem::replace(&mut seen[usize::from(record[KIND])], true);
    stream.chunks_exact(RECORD).filter(first).collect::<Vec<_>>().concat()
}

/// Within the fixed part of one of a zip's headers.
fn near_signature(bytes: &[u8], at: usize) -> bool {
    /// The longest of them.
    const FIXED: usize = 46;
    (at.saturating_sub(FIXED)..=at).any(|from| bytes[from..].starts_with(b"PK"))
}

/// Where numbers begin and end.
fn numbers(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits > 0 {
            all.push((at, at + digits));
        }
        at += digits.max(1);
    }
    all
}
