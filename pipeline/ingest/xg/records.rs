//! The layouts of the record kinds of `temp.xg`, named as in `xg-format.md` 5.
//!
//! A view is a record with names for its offsets; it decides nothing. Fields that a version does not have are asked for
//! with the version, because in older files those bytes may be anything.

use super::fields::Fields;

/// Size of every record.
pub(super) const SIZE: usize = 2560;
/// The kinds.
pub(super) const MATCH_HEADER: u8 = 0;
pub(super) const GAME_HEADER: u8 = 1;
pub(super) const CUBE: u8 = 2;
pub(super) const PLAY: u8 = 3;
pub(super) const GAME_FOOTER: u8 = 4;
pub(super) const MATCH_FOOTER: u8 = 5;

/// Where the kind of a record stands.
pub(super) const KIND: usize = 8;
/// Most candidates a play record has room for.
pub(super) const MOST_CANDIDATES: usize = 32;

/// First version with UTF-16 texts.
const UNICODE: i32 = 24;
/// First version with automatic doubles per game.
const AUTOMATIC_DOUBLES: i32 = 26;
/// First version that names a transcriber.
const TRANSCRIBER: i32 = 30;

/// Kind 0.
#[derive(Clone, Copy)]
pub(super) struct MatchHeader<'a>(pub(super) Fields<'a>);

impl MatchHeader<'_> {
    /// Where the match length stands: what a rejection points at.
    pub(super) const LENGTH: usize = 92;
    /// Where the second magic stands.
    pub(super) const MAGIC: usize = 556;
    /// Zeros in every version known; the writer of this project's tests leaves its mark there.
    const TAIL: usize = 2544;

    pub(super) fn has_magic(self) -> bool {
        self.0.bytes(Self::MAGIC) == *b"DMLI"
    }
    pub(super) fn version(self) -> i32 {
        self.0.i32(552)
    }
    pub(super) fn length(self) -> i32 {
        self.0.i32(Self::LENGTH)
    }
    pub(super) fn variation(self) -> i32 {
        self.0.i32(96)
    }
    pub(super) fn crawford_rule(self) -> bool {
        self.0.flag(100)
    }
    pub(super) fn jacoby(self) -> bool {
        self.0.flag(101)
    }
    pub(super) fn beavers(self) -> bool {
        self.0.flag(102)
    }
    pub(super) fn elo(self, seat: usize) -> f64 {
        self.0.f64(104 + 8 * seat)
    }
    pub(super) fn experience(self, seat: usize) -> i32 {
        self.0.i32(120 + 4 * seat)
    }
    pub(super) fn date(self) -> f64 {
        self.0.f64(128)
    }
    pub(super) fn player(self, seat: usize) -> String {
        self.text(880 + 258 * seat, 9 + 41 * seat, 40)
    }
    pub(super) fn event(self) -> String {
        self.text(622, 136, 128)
    }
    pub(super) fn location(self) -> String {
        self.text(1396, 283, 128)
    }
    pub(super) fn round(self) -> String {
        self.text(1654, 417, 128)
    }
    pub(super) fn transcriber(self) -> String {
        if self.version() < TRANSCRIBER { String::new() } else { self.0.text128(1960) }
    }
    pub(super) fn comments(self) -> [i32; 2] {
        [self.0.i32(576), self.0.i32(580)]
    }
    pub(super) fn made_by_portes(self) -> bool {
        self.0.bytes(Self::TAIL) == *b"portes"
    }

    /// The UTF-16 text where the version has it and it says something, else the ANSI copy.
    fn text(self, wide: usize, narrow: usize, capacity: usize) -> String {
        let text = if self.version() < UNICODE { String::new() } else { self.0.text128(wide) };
        if text.is_empty() { self.0.short_string(narrow, capacity) } else { text }
    }
}

/// Kind 1.
#[derive(Clone, Copy)]
pub(super) struct GameHeader<'a>(pub(super) Fields<'a>);

impl GameHeader<'_> {
    pub(super) fn points(self) -> [i32; 2] {
        [self.0.i32(12), self.0.i32(16)]
    }
    pub(super) fn crawford(self) -> bool {
        self.0.flag(20)
    }
    pub(super) fn start(self) -> [i8; 26] {
        self.0.i8s(21)
    }
    pub(super) fn number(self) -> i32 {
        self.0.i32(48)
    }
    pub(super) fn in_progress(self) -> bool {
        self.0.flag(52)
    }
    pub(super) fn comments(self) -> [i32; 2] {
        [self.0.i32(56), self.0.i32(60)]
    }
    pub(super) fn automatic_doubles(self, version: i32) -> i32 {
        if version < AUTOMATIC_DOUBLES { 0 } else { self.0.i32(64) }
    }
}

/// Kind 2.
#[derive(Clone, Copy)]
pub(super) struct CubeRecord<'a>(pub(super) Fields<'a>);

impl<'a> CubeRecord<'a> {
    pub(super) fn player(self) -> i32 {
        self.0.i32(12)
    }
    pub(super) fn double(self) -> i32 {
        self.0.i32(16)
    }
    pub(super) fn take(self) -> i32 {
        self.0.i32(20)
    }
    pub(super) fn beaver_answer(self) -> i32 {
        self.0.i32(24)
    }
    pub(super) fn raccoon_answer(self) -> i32 {
        self.0.i32(28)
    }
    pub(super) fn cube(self) -> i32 {
        self.0.i32(32)
    }
    /// Player 1's view.
    pub(super) fn position(self) -> [i8; 26] {
        self.0.i8s(36)
    }
    /// The level that produced the numbers; 0 = not analysed.
    pub(super) fn level(self) -> i32 {
        self.0.i32(92)
    }
    /// -100 and below = not analysed.
    pub(super) fn verdict(self) -> i16 {
        self.0.i16(120)
    }
    pub(super) fn evaluation(self) -> Fields<'a> {
        Fields(self.0.0.get(124..).unwrap_or_default())
    }
    /// ND, D/T, D/P.
    pub(super) fn equities(self) -> [f64; 3] {
        [152, 156, 160].map(|at| self.0.f32(at))
    }
    /// Of the double, of the answer.
    pub(super) fn errors(self) -> [f64; 2] {
        [self.0.f64(200), self.0.f64(216)]
    }
    pub(super) fn rollout(self) -> i32 {
        self.0.i32(224)
    }
    pub(super) fn comment(self) -> i32 {
        self.0.i32(292)
    }
}

/// Kind 3.
#[derive(Clone, Copy)]
pub(super) struct PlayRecord<'a>(pub(super) Fields<'a>);

impl<'a> PlayRecord<'a> {
    /// Player 1's view.
    pub(super) fn before(self) -> [i8; 26] {
        self.0.i8s(9)
    }
    /// The mover's view; zeros when no play was made.
    pub(super) fn after(self) -> [i8; 26] {
        self.0.i8s(35)
    }
    pub(super) fn mover(self) -> i32 {
        self.0.i32(64)
    }
    pub(super) fn play(self) -> [i32; 8] {
        std::array::from_fn(|i| self.0.i32(68 + 4 * i))
    }
    pub(super) fn dice(self) -> [i32; 2] {
        [self.0.i32(100), self.0.i32(104)]
    }
    pub(super) fn cube(self) -> i32 {
        self.0.i32(108)
    }
    /// How many candidates mean anything.
    pub(super) fn candidates(self) -> usize {
        usize::try_from(self.0.i32(188)).unwrap_or(0).min(MOST_CANDIDATES)
    }
    /// The mover's view.
    pub(super) fn candidate_after(self, row: usize) -> [i8; 26] {
        self.0.i8s(192 + 26 * row)
    }
    pub(super) fn candidate_play(self, row: usize) -> [i8; 8] {
        self.0.i8s(1024 + 8 * row)
    }
    pub(super) fn candidate_level(self, row: usize) -> i16 {
        self.0.i16(1280 + 4 * row)
    }
    pub(super) fn candidate_evaluation(self, row: usize) -> Fields<'a> {
        Fields(self.0.0.get(1408 + 28 * row..).unwrap_or_default())
    }
    pub(super) fn candidate_rollout(self, row: usize) -> i32 {
        self.0.i32(2344 + 4 * row)
    }
    pub(super) fn forced(self) -> bool {
        self.0.flag(2304)
    }
    pub(super) fn was_made(self) -> bool {
        self.0.flag(2308)
    }
    pub(super) fn error(self) -> f64 {
        self.0.f64(2312)
    }
    pub(super) fn luck(self) -> f64 {
        self.0.f64(2320)
    }
    /// 0 = fine, 1 = error, 2 = illegal play.
    pub(super) fn invalid(self) -> i32 {
        self.0.i32(2480)
    }
    pub(super) fn comment(self) -> i32 {
        self.0.i32(2524)
    }
}

/// Kind 4.
#[derive(Clone, Copy)]
pub(super) struct GameFooter<'a>(pub(super) Fields<'a>);

impl GameFooter<'_> {
    /// After the game.
    pub(super) fn score(self) -> [i32; 2] {
        [self.0.i32(12), self.0.i32(16)]
    }
    pub(super) fn winner(self) -> i32 {
        self.0.i32(24)
    }
    pub(super) fn points(self) -> i32 {
        self.0.i32(28)
    }
    pub(super) fn termination(self) -> i32 {
        self.0.i32(32)
    }
}

/// Kind 5.
#[derive(Clone, Copy)]
pub(super) struct MatchFooter<'a>(pub(super) Fields<'a>);

impl MatchFooter<'_> {
    /// At the end.
    pub(super) fn score(self) -> [i32; 2] {
        [self.0.i32(12), self.0.i32(16)]
    }
}
