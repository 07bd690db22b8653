//! A record as an eXtreme Gammon file, for tests and the benchmark.
//!
//! Written from the format page, not from the reader: offsets stand here a second time, so that a wrong one on either side
//! shows. Files carry a mark in bytes that are zero in every version, and are never mistaken for XG's own.
//!
//! What XG cannot say is normalised: offsets, faults and times; a comment on an answer (it belongs to the double's
//! record); more than one comment at a place; a rating that is no number; other engines and depths; an action list that
//! no sequence of cube and play records yields.

use libdeflater::{CompressionLvl, Compressor, crc32};
use portes::game::{Board, Cube, Equity, Length, Owner, Play, Seat};
use portes::ingest::record::{
    Action, AfterBeaver, Candidate, CheckerPlay, CubeAnalysis, Depth, Ending, Game, Odds, Outcome, Record, Variant,
    What,
};

/// Size of a record of `temp.xg`.
pub const RECORD: usize = 2560;
/// Size of a record of `temp.xgr`.
pub const ROLLOUT: usize = 2184;
/// Size of the header of a file without thumbnail.
pub const HEADER: usize = 8232;
const UNSET: f64 = -1000.0;
const NO_INDEX: i32 = -1;

/// The file of a match.
#[must_use]
pub fn write(record: &Record) -> Vec<u8> {
    pack(&members(record))
}

/// The members of the file of a match, inflated, by name.
#[must_use]
pub fn members(record: &Record) -> Vec<(&'static str, Vec<u8>)> {
    let mut writer = Writer::new(record);
    writer.match_header();
    for (index, game) in record.games.iter().enumerate() {
        writer.game(index, game);
    }
    if record.games.iter().all(|game| game.outcome.is_some()) {
        writer.match_footer();
    }
    let stream = writer.stream;
    let index = [&stream[..RECORD], &stream[stream.len() - RECORD..]].concat();
    let comments: Vec<u8> = record.comments.iter().flat_map(|comment| comment_line(&comment.text)).collect();
    let mut members = vec![("temp.xg", stream)];
    if !writer.rollouts.is_empty() {
        members.push(("temp.xgr", writer.rollouts));
    }
    members.push(("temp.xgi", index));
    if !comments.is_empty() {
        members.push(("temp.xgc", comments));
    }
    members
}

/// Any members in a sound container.
#[must_use]
pub fn pack(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut blobs = Vec::new();
    let mut registry = Vec::new();
    for (name, content) in members {
        let blob = deflate(content);
        let mut entry = Page::of(532);
        entry.short(0, name, 255);
        entry.int(512, content.len());
        entry.int(516, blob.len());
        entry.int(520, blobs.len());
        entry.bytes(524, &crc32(content).to_le_bytes());
        entry.byte(529, 6);
        registry.extend(entry.0);
        blobs.extend(blob);
    }
    let registry = deflate(&registry);
    let mut trailer = Page::of(36);
    trailer.int(4, members.len());
    trailer.int(8, 1usize);
    trailer.int(12, registry.len());
    trailer.int(16, blobs.len());
    trailer.byte(20, 1);
    blobs.extend(registry);
    trailer.bytes(0, &crc32(&blobs).to_le_bytes());
    let mut header = Page::of(HEADER);
    header.bytes(0, b"RGMH");
    header.int(4, 1usize);
    header.int(8, HEADER);
    header.bytes(24, &[0xe1, 0xf5, 0x5a, 0x2f, 0x21, 0xe0, 0x32, 0x48, 0xa4, 0x23, 0xef, 0x48, 0x0e, 0xc5, 0x8a, 0x0b]);
    [header.0, blobs, trailer.0].concat()
}

fn deflate(content: &[u8]) -> Vec<u8> {
    // Half the time of making a season was this, so the fastest level that packs at all; files are a fifth larger for it.
    let mut compressor = Compressor::new(CompressionLvl::new(1).unwrap_or_default());
    let mut packed = vec![0; compressor.zlib_compress_bound(content.len())];
    let size = compressor.zlib_compress(content, &mut packed).unwrap_or(0);
    packed.truncate(size);
    packed
}

/// Bytes that fields are put into.
struct Page(Vec<u8>);

impl Page {
    fn of(size: usize) -> Self {
        Self(vec![0; size])
    }
    fn record(kind: u8) -> Self {
        let mut page = Self::of(RECORD);
        page.byte(8, kind);
        page
    }
    fn bytes(&mut self, at: usize, bytes: &[u8]) {
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
    }
    fn byte(&mut self, at: usize, byte: u8) {
        self.0[at] = byte;
    }
    fn flag(&mut self, at: usize, flag: bool) {
        self.byte(at, u8::from(flag));
    }
    /// An i32; what does not fit becomes its largest.
    fn int(&mut self, at: usize, value: impl TryInto<i32>) {
        self.bytes(at, &value.try_into().unwrap_or(i32::MAX).to_le_bytes());
    }
    fn i16(&mut self, at: usize, value: i16) {
        self.bytes(at, &value.to_le_bytes());
    }
    fn f64(&mut self, at: usize, value: f64) {
        self.bytes(at, &value.to_le_bytes());
    }
    fn f32(&mut self, at: usize, value: f64) {
        #[expect(clippy::cast_possible_truncation, reason = "single precision is what the format holds")]
        self.bytes(at, &(value as f32).to_le_bytes());
    }
    fn board(&mut self, at: usize, board: &Board) {
        self.bytes(at, &board.cells().map(i8::cast_unsigned));
    }
    fn short(&mut self, at: usize, text: &str, capacity: usize) {
        let encoded: Vec<u8> = text.chars().take(capacity).map(western).collect();
        self.byte(at, u8::try_from(encoded.len()).unwrap_or(u8::MAX));
        self.bytes(at + 1, &encoded);
    }
    fn wide(&mut self, at: usize, text: &str) {
        for (i, unit) in text.encode_utf16().take(128).enumerate() {
            self.bytes(at + 2 * i, &unit.to_le_bytes());
        }
    }
    fn odds(&mut self, at: usize, odds: Option<Odds>, equity: f64) {
        if let Some(odds) = odds {
            let stored =
                [odds.lose_backgammon, odds.lose_gammon, odds.lose, odds.win, odds.win_gammon, odds.win_backgammon];
            for (i, chance) in stored.into_iter().enumerate() {
                self.f32(at + 4 * i, natural(chance.units()));
            }
        }
        self.f32(at + 24, equity);
    }
}

/// A character in Windows-1252 where it is one of Latin-1; a question mark elsewhere.
fn western(character: char) -> u8 {
    u8::try_from(u32::from(character)).ok().filter(|byte| !(0x80..0xA0).contains(byte)).unwrap_or(b'?')
}

/// A line of `temp.xgc`: plain where XG's page has every character, else RTF.
fn comment_line(text: &str) -> Vec<u8> {
    let plain = !text.starts_with("{\\rtf") && text.chars().all(|c| c == '\n' || (' '..='\u{7e}').contains(&c));
    let mut line = Vec::new();
    if !plain {
        line.extend(b"{\\rtf1\\ansi\\ansicpg1252\\uc1{\\fonttbl{\\f0 Arial;}}\x01\x02\\fs20 ");
    }
    for character in text.chars() {
        match character {
            '\n' if plain => line.extend([1, 2]),
            _ if plain => line.push(western(character)),
            '\n' => line.extend(b"\\par\x01\x02"),
            '\t' => line.extend(b"\\tab "),
            '\\' | '{' | '}' => line.extend([b'\\', western(character)]),
            ' '..='\u{7e}' => line.push(western(character)),
            '\u{a0}'..='\u{ff}' => line.extend(format!("\\'{:02x}", u32::from(character)).bytes()),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    line.extend(format!("\\u{}?", unit.cast_signed()).bytes());
                }
            }
        }
    }
    if !plain {
        line.push(b'}');
    }
    line.extend(b"\r\n");
    line
}

/// The stream and the rollouts, growing.
struct Writer<'a> {
    record: &'a Record,
    stream: Vec<u8>,
    rollouts: Vec<u8>,
}

/// A cube record waiting for what came of it.
struct Turned {
    page: Page,
    seat: Seat,
    raccoon: bool,
}

/// The game a record stands in.
#[derive(Clone, Copy)]
struct Setting<'a> {
    index: usize,
    game: &'a Game,
    /// Automatic doubles: the first centred cube says how many.
    automatic: u8,
}

impl<'a> Writer<'a> {
    fn new(record: &'a Record) -> Self {
        Self { record, stream: Vec::new(), rollouts: Vec::new() }
    }

    fn push(&mut self, page: Page) {
        self.stream.extend(page.0);
    }

    fn version(&self) -> i32 {
        self.record.engine_version.as_deref().and_then(|version| version.parse().ok()).unwrap_or(32)
    }

    /// The line of the nth comment at a place.
    fn line(&self, place: (Option<usize>, Option<usize>)) -> i32 {
        let found = self.record.comments.iter().position(|comment| (comment.game, comment.action) == place);
        found.and_then(|line| i32::try_from(line).ok()).unwrap_or(NO_INDEX)
    }

    /// The lines of header and footer of the match, or of a game: before, and after, what is said in between.
    fn edges(&self, game: Option<usize>) -> [i32; 2] {
        let comments = &self.record.comments;
        let inner = |i: usize| {
            let comment = &comments[i];
            if game.is_none() { comment.game.is_some() } else { comment.game == game && comment.action.is_some() }
        };
        let outer = |i: usize| comments[i].game == game && comments[i].action.is_none();
        let middle = (0..comments.len()).find(|&i| inner(i)).unwrap_or(comments.len());
        let header = (0..middle).find(|&i| outer(i));
        let footer = (0..comments.len()).rfind(|&i| outer(i)).filter(|&i| Some(i) != header);
        [header, footer].map(|line| line.and_then(|line| i32::try_from(line).ok()).unwrap_or(NO_INDEX))
    }

    fn match_header(&mut self) {
        let record = self.record;
        let version = self.version();
        let mut page = Page::record(0);
        page.int(92, if record.length == Length::Money { 99_999 } else { record.length.points() });
        page.int(
            96,
            match record.rules.variant {
                Variant::Backgammon => 0,
                Variant::Nackgammon => 1,
                Variant::Hypergammon => 2,
                Variant::Longgammon => 3,
            },
        );
        page.flag(100, record.rules.crawford || record.length == Length::Money);
        page.flag(101, record.rules.jacoby);
        page.flag(102, record.rules.beavers == Some(true));
        for (seat, player) in record.players.iter().enumerate() {
            let rating = player.rating.as_deref().and_then(|rating| rating.parse::<f64>().ok());
            page.f64(104 + 8 * seat, rating.unwrap_or(1600.0));
            page.int(120 + 4 * seat, i32::from(rating.is_some()));
            page.int(272 + 4 * seat, NO_INDEX);
        }
        page.f64(
            128,
            record.date.map_or(0.0, |d| delphi(i32::from(d.year()), i32::from(d.month()), i32::from(d.day()))),
        );
        page.int(412, 0);
        page.int(548, 1);
        page.int(552, version);
        page.bytes(556, b"DMLI");
        let [header, footer] = self.edges(None);
        page.int(576, header);
        page.int(580, footer);
        page.int(608, NO_INDEX);
        page.int(612, 10);
        let [first, second] = &record.players;
        let said = |text: &'a Option<String>| text.as_deref().unwrap_or_default();
        let texts: [(usize, usize, usize, &str); 5] = [
            (9, 880, 40, &first.name),
            (50, 1138, 40, &second.name),
            (136, 622, 128, said(&record.event)),
            (283, 1396, 128, said(&record.place)),
            (417, 1654, 128, said(&record.round)),
        ];
        for (narrow, wide, capacity, text) in texts {
            page.short(narrow, text, capacity);
            if version >= 24 {
                page.wide(wide, text);
            }
        }
        if version >= 30 {
            page.wide(1960, said(&record.annotator));
        }
        page.bytes(2544, b"portes");
        self.push(page);
    }

    fn game(&mut self, index: usize, game: &'a Game) {
        let centred = game.actions.iter().find(|action| action.cube.owner == Owner::Centred);
        let automatic = centred.filter(|_| self.record.length == Length::Money).map_or(0, |action| action.cube.log2);
        let setting = Setting { index, game, automatic };
        let mut page = Page::record(1);
        page.int(12, game.points[0]);
        page.int(16, game.points[1]);
        page.flag(20, game.crawford);
        page.board(21, &game.start);
        page.int(48, index + 1);
        let [header, footer] = self.edges(Some(index));
        page.int(56, header);
        page.int(60, footer);
        page.int(64, i32::from(automatic));
        self.push(page);
        self.turns(setting);
        if let Some(outcome) = game.outcome {
            self.game_footer(setting, outcome);
        }
    }

    fn turns(&mut self, setting: Setting<'a>) {
        let mut pending: Option<Turned> = None;
        for (index, action) in setting.game.actions.iter().enumerate() {
            let turned = pending.as_mut().filter(|turned| turned.page.0[16] == 1);
            match (&action.what, turned) {
                (What::NoDouble(analysis), _) => {
                    self.settle(&mut pending);
                    pending = Some(self.cube(setting, index, 0, analysis.as_ref()));
                }
                (What::Double(analysis), _) => {
                    self.settle(&mut pending);
                    pending = Some(self.cube(setting, index, 1, analysis.as_ref()));
                }
                (What::Pass(_), Some(turned)) => turned.page.int(20, 0),
                (What::Take(_), Some(turned)) => turned.page.int(20, 1),
                (What::Beaver(_), Some(turned)) => turned.page.int(20, 2),
                (What::AfterBeaver(answer), Some(turned)) => turned.answer(*answer),
                (What::Checker(play), _) => {
                    if pending.as_ref().is_none_or(|turned| turned.seat != action.seat) {
                        self.settle(&mut pending);
                        pending = Some(self.cube(setting, index, -2, None));
                    }
                    let dice = play.dice.to_string();
                    if let Some(turned) = &mut pending {
                        turned.page.short(208, &dice, 2);
                    }
                    self.settle(&mut pending);
                    self.play(setting, (index, action), play);
                }
                _ => {}
            }
        }
        self.settle(&mut pending);
    }

    fn settle(&mut self, pending: &mut Option<Turned>) {
        if let Some(turned) = pending.take() {
            self.push(turned.page);
        }
    }

    fn cube(&mut self, setting: Setting<'a>, index: usize, double: i32, analysis: Option<&CubeAnalysis>) -> Turned {
        let action = &setting.game.actions[index];
        let mut page = Page::record(2);
        page.int(12, sign(action.seat));
        page.int(16, double);
        for at in [20, 24, 28, 224, 232, 256, 292] {
            page.int(at, NO_INDEX);
        }
        page.int(32, code(action, setting.automatic));
        page.board(36, &first_view(action));
        page.i16(120, -100);
        page.short(208, "77", 2);
        for at in [200, 216, 240, 248] {
            page.f64(at, UNSET);
        }
        if double >= 0 {
            page.int(292, self.line((Some(setting.index), Some(index))));
        }
        if let Some(analysis) = analysis {
            self.needs(&mut page, 96, (setting, action.seat));
            page.int(104, action.cube.value());
            page.int(108, owner(action.cube));
            page.i16(116, i16::from(setting.game.crawford));
            page.board(64, &action.board);
            self.cube_analysis(&mut page, analysis);
        }
        Turned { page, seat: action.seat, raccoon: false }
    }

    fn cube_analysis(&mut self, page: &mut Page, analysis: &CubeAnalysis) {
        let equities = analysis.equities;
        page.int(92, level(analysis.depth));
        page.i16(164, level(analysis.depth));
        page.i16(166, -1);
        let doubled = equities.doubled();
        page.i16(
            120,
            match (equities.nd > doubled, equities.dt > equities.dp) {
                (true, _) if equities.nd > equities.dp => -1,
                (true, _) => 0,
                (false, false) => 1,
                (false, true) => 2,
            },
        );
        page.odds(124, analysis.odds, 0.0);
        page.odds(168, analysis.odds, 0.0);
        for (at, equity) in [(152, equities.nd), (156, equities.dt), (160, equities.dp)] {
            page.f32(at, equity.to_f64());
        }
        for (at, error) in [200, 216].into_iter().zip(analysis.stored_errors) {
            page.f64(at, error.map_or(UNSET, Equity::to_f64));
        }
        let index = self.rollout(analysis.depth, analysis.trials, analysis.std_error);
        page.int(224, index);
    }

    fn play(&mut self, setting: Setting<'a>, (index, action): (usize, &Action), play: &CheckerPlay) {
        let mut page = Page::record(3);
        page.board(9, &first_view(action));
        if let Some(after) = &play.after {
            page.board(35, after);
        }
        page.int(64, sign(action.seat));
        for (i, code) in codes(&play.play).into_iter().enumerate() {
            page.int(68 + 4 * i, code);
        }
        for at in [100, 152] {
            page.int(at, i32::from(play.dice.high()));
            page.int(at + 4, i32::from(play.dice.low()));
        }
        page.int(108, code(action, setting.automatic));
        page.int(120, play.candidates.len());
        page.board(124, &action.board);
        page.int(160, play.candidates.first().map_or(-100, |best| i32::from(level(best.depth))));
        self.needs(&mut page, 164, (setting, action.seat));
        page.int(172, action.cube.value());
        page.int(176, owner(action.cube));
        page.int(180, i32::from(setting.game.crawford));
        page.int(188, play.candidates.len());
        for row in 0..32 {
            page.int(2344 + 4 * row, NO_INDEX);
        }
        for (row, candidate) in play.candidates.iter().take(32).enumerate() {
            self.candidate(&mut page, row, candidate);
        }
        page.flag(2304, play.xg_forced == Some(true));
        page.flag(2308, true);
        page.f64(2312, play.stored_error.map_or(UNSET, Equity::to_f64));
        page.f64(2320, play.luck.map_or(UNSET, Equity::to_f64));
        page.int(2480, if play.illegal { 2 } else { 0 });
        page.int(2524, self.line((Some(setting.index), Some(index))));
        self.push(page);
    }

    fn candidate(&mut self, page: &mut Page, row: usize, candidate: &Candidate) {
        page.board(192 + 26 * row, &candidate.after);
        let codes = codes(&candidate.play).map(|code| i8::try_from(code).unwrap_or(-1).cast_unsigned());
        page.bytes(1024 + 8 * row, &codes);
        page.i16(1280 + 4 * row, level(candidate.depth));
        page.odds(1408 + 28 * row, candidate.odds, candidate.equity.map_or(f64::NAN, Equity::to_f64));
        let index = self.rollout(candidate.depth, candidate.trials, candidate.std_error);
        page.int(2344 + 4 * row, index);
    }

    /// Points both still need, the decider's first; -1 in money play.
    fn needs(&self, page: &mut Page, at: usize, (setting, seat): (Setting<'a>, Seat)) {
        for (i, seat) in [seat, seat.other()].into_iter().enumerate() {
            let length = i64::from(self.record.length.points());
            let need = if length == 0 { -1 } else { length - setting.game.points[seat.index()] };
            page.int(at + 4 * i, need);
        }
    }

    /// The index of a new rollout of both lines; none for a figure that was not rolled out.
    fn rollout(&mut self, depth: Depth, trials: Option<i64>, std_error: Option<Equity>) -> i32 {
        let Some(trials) = trials.filter(|_| depth == Depth::Rollout) else { return NO_INDEX };
        let index = self.rollouts.len() / ROLLOUT;
        let mut page = Page::of(ROLLOUT);
        for (games, confidence) in [(84, 2020), (2140, 2024)] {
            page.int(games, trials);
            page.f32(confidence, std_error.map_or(0.0, Equity::to_f64) * 1.96);
        }
        self.rollouts.extend(page.0);
        i32::try_from(index).unwrap_or(NO_INDEX)
    }

    fn game_footer(&mut self, setting: Setting<'a>, outcome: Outcome) {
        let mut page = Page::record(4);
        let points = after(setting.game, outcome);
        page.int(12, points[0]);
        page.int(16, points[1]);
        page.flag(20, self.record.games.get(setting.index + 1).is_some_and(|next| next.crawford));
        page.int(24, sign(outcome.winner));
        page.int(28, outcome.points);
        let cube = setting.game.actions.last().map_or(1, |action| i64::from(action.cube.value()));
        let stake = (outcome.points / cube).clamp(1, 3);
        page.int(
            32,
            match outcome.ending {
                Ending::Pass => 0,
                Ending::BorneOff => stake,
                Ending::Resigned => 100 + stake,
                Ending::Unknown => 1000,
            },
        );
        self.push(page);
    }

    fn match_footer(&mut self) {
        let mut page = Page::record(5);
        let summed = self.record.games.last().and_then(|game| Some(after(game, game.outcome?)));
        let [first, second] = self.record.final_score.or(summed).unwrap_or_default();
        page.int(12, first);
        page.int(16, second);
        page.int(20, if first > second { 1 } else { -1 });
        self.push(page);
    }
}

impl Turned {
    fn answer(&mut self, answer: AfterBeaver) {
        let said = match answer {
            AfterBeaver::Pass => 0,
            AfterBeaver::Take => 1,
            AfterBeaver::Raccoon => 2,
        };
        self.page.int(if self.raccoon { 28 } else { 24 }, said);
        self.raccoon |= answer == AfterBeaver::Raccoon;
    }
}

fn after(game: &Game, outcome: Outcome) -> [i64; 2] {
    let mut points = game.points;
    points[outcome.winner.index()] += outcome.points;
    points
}

fn natural(units: i64) -> f64 {
    Equity::from_units(units).to_f64()
}

fn sign(seat: Seat) -> i32 {
    if seat == Seat::First { 1 } else { -1 }
}

/// The board as the first player sees it.
fn first_view(action: &Action) -> Board {
    if action.seat == Seat::First { action.board } else { action.board.mirror() }
}

/// 0 centred, +n at 2^n with the first player, -n with the second.
fn code(action: &Action, automatic: u8) -> i32 {
    owner(action.cube) * sign(action.seat) * i32::from(action.cube.log2.saturating_sub(automatic))
}

fn owner(cube: Cube) -> i32 {
    match cube.owner {
        Owner::Centred => 0,
        Owner::Own => 1,
        Owner::Opponent => -1,
    }
}

/// (from, to) pairs less one; a checker borne off goes to -1, what is unused is -1.
fn codes(play: &Play) -> [i32; 8] {
    let mut codes = [-1; 8];
    for (pair, step) in codes.chunks_exact_mut(2).zip(play.steps()) {
        pair[0] = i32::from(step.from) - 1;
        pair[1] = i32::from(step.to) - 1;
    }
    codes
}

fn level(depth: Depth) -> i16 {
    match depth {
        Depth::XgPly(ply) => i16::from(ply) - 1,
        Depth::XgRed => 12,
        Depth::Roller => 1000,
        Depth::RollerPlus => 1001,
        Depth::RollerPlusPlus => 1002,
        Depth::Book => 998,
        Depth::Rollout => 100,
        // A code that no version uses: read as unknown, with its numbers kept.
        Depth::Unknown | Depth::GnuBgPly(_) => 77,
    }
}

/// Days from 1899-12-30 to a day of the Gregorian calendar.
fn delphi(year: i32, month: i32, day: i32) -> f64 {
    // Years begin in March, so that the day of the leap year is the last one.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    const EPOCH: i32 = 693_899;
    f64::from(days + (153 * month + 2) / 5 + day - 1 - EPOCH)
}
