//! A record written as GNU Backgammon SGF: for round trips, and for the corpora of the benchmark.
//!
//! What is written is what the reader takes in, no more: plays, cube actions, analyses, luck, comments, the heads of
//! match and games. Files are signed `AP[Portes:...]`, so that nobody takes them for the program's own print. A board
//! or a cube that does not follow from the action before is set up, as the program does for edited games.

use portes::game::met::{Factor, Met};
use portes::game::play::{BAR, OFF};
use portes::game::{Board, Cube, Equity, Length, Owner, Play, Score, Seat};
use portes::ingest::record::{
    Action, AfterBeaver, Candidate, CheckerPlay, CubeAnalysis, Depth, Ending, Game, Odds, Record, Variant, What,
};
use std::fmt::Write as _;

/// The file of a record.
pub(crate) fn write(record: &Record) -> Vec<u8> {
    let mut writer = Writer { record, out: String::new() };
    for index in 0..record.games.len() {
        writer.game(index);
    }
    writer.out.into_bytes()
}

struct Writer<'r> {
    record: &'r Record,
    out: String,
}

/// What a reader of the nodes written so far believes to be on the table.
struct Table {
    /// From the first seat's side.
    board: Board,
    cube_log2: u8,
    owner: Option<Seat>,
    doubler: Option<Seat>,
}

impl Writer<'_> {
    fn game(&mut self, index: usize) {
        let game = &self.record.games[index];
        let opening = standard_start(self.record.rules.variant, &game.start);
        let automatic = game.actions.first().map_or(0, |action| match action.cube.owner {
            Owner::Centred => action.cube.log2,
            _ => 0,
        });
        self.root(index, automatic);
        let mut table = Table { board: opening, cube_log2: automatic, owner: None, doubler: None };
        if game.start != opening {
            self.set_board(&mut table, game.start, Seat::First);
        }
        let mut no_double = None;
        for (at, action) in game.actions.iter().enumerate() {
            if let What::NoDouble(analysis) = &action.what {
                no_double = Some(analysis.as_ref());
                continue;
            }
            self.agree(&mut table, action);
            self.action(index, action, no_double.take().flatten());
            self.comments(index, Some(at));
            after(&mut table, action, game.actions.get(at + 1));
        }
        self.out.push_str(")\n");
    }

    fn root(&mut self, index: usize, automatic: u8) {
        let (record, game) = (self.record, &self.record.games[index]);
        self.out.push_str("(;FF[4]GM[6]CA[UTF-8]");
        self.property("AP", &format!("Portes:{}", record.engine_version.as_deref().unwrap_or_default()));
        let [white, black] = game.points;
        _ = write!(self.out, "MI[length:{}][game:{index}][ws:{white}][bs:{black}]", record.length.points());
        for (name, player) in ["PW", "PB"].into_iter().zip(&record.players) {
            self.property(name, &player.name);
        }
        if index == 0 {
            self.head();
        }
        let rules = rules(record, game);
        if !rules.is_empty() {
            self.property("RU", &rules.join(":"));
        }
        if automatic > 0 {
            _ = write!(self.out, "CV[{}]", 1u64 << automatic);
        }
        if let Some(outcome) = game.outcome {
            let resigned = if outcome.ending == Ending::Resigned { "R" } else { "" };
            _ = write!(self.out, "RE[{}+{}{resigned}]", colour(outcome.winner), outcome.points);
        }
        self.comments(index, None);
    }

    /// What only the first game says.
    fn head(&mut self) {
        let record = self.record;
        let [white, black] = &record.players;
        let date = record.date.map(|date| date.to_string());
        let match_comment = record.comments.iter().find(|comment| comment.game.is_none()).map(|comment| &comment.text);
        let said = [
            ("WR", white.rating.as_ref()),
            ("BR", black.rating.as_ref()),
            ("DT", date.as_ref()),
            ("EV", record.event.as_ref()),
            ("RO", record.round.as_ref()),
            ("PC", record.place.as_ref()),
            ("AN", record.annotator.as_ref()),
            ("GC", match_comment),
        ];
        for (name, text) in said {
            if let Some(text) = text {
                self.property(name, text);
            }
        }
    }

    /// Comments about a game (`None`) or an action; a second one needs a node of its own.
    fn comments(&mut self, game: usize, action: Option<usize>) {
        let comments = self.record.comments.iter();
        let about = comments.filter(|comment| comment.game == Some(game) && comment.action == action);
        for (i, comment) in about.enumerate() {
            self.out.push_str(if i > 0 { "\n;" } else { "" });
            self.property("C", &comment.text);
        }
    }

    fn property(&mut self, name: &str, text: &str) {
        self.out.push_str(name);
        self.out.push('[');
        for character in text.chars() {
            if matches!(character, '\\' | ']') {
                self.out.push('\\');
            }
            self.out.push(character);
        }
        self.out.push(']');
    }

    /// Sets up what the action needs and the table does not have.
    fn agree(&mut self, table: &mut Table, action: &Action) {
        let board = seen(&action.board, action.seat);
        if board != table.board {
            self.set_board(table, board, action.seat);
        }
        if action.cube.log2 != table.cube_log2 {
            table.cube_log2 = action.cube.log2;
            _ = write!(self.out, "\n;CV[{}]", action.cube.value());
        }
        let owner = owner(action.cube, action.seat);
        if owner != table.owner {
            table.owner = owner;
            let letter = owner.map_or('c', |seat| colour(seat).to_ascii_lowercase());
            _ = write!(self.out, "\n;CP[{letter}]");
        }
    }

    fn set_board(&mut self, table: &mut Table, board: Board, to_play: Seat) {
        table.board = board;
        _ = write!(self.out, "\n;PL[{}]AE[a:y]", colour(to_play));
        for seat in Seat::BOTH {
            let cells = *seen(&board, seat).cells();
            _ = write!(self.out, "A{}", colour(seat));
            let own = (1u8..=BAR).rev().filter(|&cell| cells[usize::from(cell)] > 0);
            for cell in own {
                for _ in 0..cells[usize::from(cell)] {
                    _ = write!(self.out, "[{}]", letter(cell, seat));
                }
            }
        }
    }

    fn action(&mut self, game: usize, action: &Action, no_double: Option<&CubeAnalysis>) {
        let seat = action.seat;
        _ = write!(self.out, "\n;{}[", colour(seat));
        let own = self.factor(game, action.cube, seat);
        let doubler = self.factor(game, action.cube.mirror(), seat.other());
        match &action.what {
            What::NoDouble(_) => {}
            What::Checker(play) => {
                _ = write!(self.out, "{}{}]", play.dice, letters(&play.play, seat));
                self.cube_analysis(no_double, own);
                self.plays(play, seat, own);
            }
            What::Double(analysis) => self.cube_action("double", analysis.as_ref(), own),
            What::Beaver(_) | What::AfterBeaver(AfterBeaver::Raccoon) => self.out.push_str("double]"),
            What::Take(analysis) => self.cube_action("take", analysis.as_ref(), doubler),
            What::AfterBeaver(AfterBeaver::Take) => self.out.push_str("take]"),
            What::Pass(analysis) => self.cube_action("drop", analysis.as_ref(), doubler),
            What::AfterBeaver(AfterBeaver::Pass) => self.out.push_str("drop]"),
        }
    }

    fn cube_action(&mut self, word: &str, analysis: Option<&CubeAnalysis>, factor: Option<Factor>) {
        _ = write!(self.out, "{word}]");
        self.cube_analysis(analysis, factor);
    }

    /// W and L of a seat in a game, at a cube.
    fn factor(&self, game: usize, cube: Cube, seat: Seat) -> Option<Factor> {
        let game = &self.record.games[game];
        let score = Score::at(self.record.length, game.points, game.crawford).ok()?;
        let score = if seat == Seat::First { score } else { score.mirror() };
        Met::kazaross_xg2().factor(score, cube.value())
    }

    fn cube_analysis(&mut self, analysis: Option<&CubeAnalysis>, factor: Option<Factor>) {
        let Some(analysis) = analysis else { return };
        let figures = self.cubeful(analysis, factor);
        let Some([nd, dt]) = figures else { return };
        let odds = outputs(analysis.odds);
        if analysis.depth == Depth::Rollout {
            let error = spread(analysis.std_error, self.record.length, factor);
            let line = format!("StdDev 0 0 0 0 0 0 {error}");
            _ = write!(
                self.out,
                "DA[X ver 3 Eq Trials {} NoDouble Output {odds} 0 {nd} {line} DoubleTake Output {odds} 0 {dt} {line} SK 0 RC 1]",
                analysis.trials.unwrap_or(0)
            );
            return;
        }
        let plies = plies(analysis.depth);
        _ = write!(self.out, "DA[E ver 3 {plies}C 1 0.000000 1 {odds} 0.000000 {nd} {odds} 0.000000 {dt}]");
    }

    /// The stored pair: winning chances in match play, equities in money play.
    fn cubeful(&self, analysis: &CubeAnalysis, factor: Option<Factor>) -> Option<[String; 2]> {
        let equities = [analysis.equities.nd, analysis.equities.dt];
        if self.record.length == Length::Money {
            return Some(equities.map(equity));
        }
        if let Some(stored) = analysis.mwc {
            return Some(stored.map(|mwc| decimal(mwc.units(), 9)));
        }
        let factor = factor?;
        Some(equities.map(|equity| format!("{:.9}", factor.to_mwc(equity.to_f64()))))
    }

    fn plays(&mut self, play: &CheckerPlay, seat: Seat, factor: Option<Factor>) {
        if !play.candidates.is_empty() {
            let made = play.candidates.iter().position(|candidate| Some(candidate.after) == play.after);
            _ = write!(self.out, "A[{}]", made.unwrap_or(play.candidates.len()));
            for candidate in &play.candidates {
                self.candidate(candidate, seat, factor);
            }
            self.out.push_str("MR[]");
        }
        if let Some(luck) = play.luck {
            _ = write!(self.out, "LU[{}]", equity(luck));
        }
    }

    fn candidate(&mut self, candidate: &Candidate, seat: Seat, factor: Option<Factor>) {
        _ = write!(self.out, "[{} ", letters(&candidate.play, seat));
        if let Some(value) = candidate.equity {
            let (value, odds) = (equity(value), outputs(candidate.odds));
            _ = match candidate.depth {
                Depth::Rollout => write!(
                    self.out,
                    "X ver 3 Score {value} {value} Trials {} Output {odds} 0 0 StdDev 0 0 0 0 0 0 {} SK 0 RC 1",
                    candidate.trials.unwrap_or(0),
                    spread(candidate.std_error, self.record.length, factor),
                ),
                depth => write!(self.out, "E ver 3 {odds} {value} {}C 0 1 0.000000 1", plies(depth)),
            };
        }
        self.out.push(']');
    }
}

/// What the action leaves on the table, as a reader will have it; where only the next action knows, from there.
fn after(table: &mut Table, action: &Action, next: Option<&Action>) {
    match &action.what {
        What::Checker(play) => {
            let left = play.after.map(|board| seen(&board, action.seat));
            let known = left.or_else(|| next.map(|next| seen(&next.board, next.seat)));
            table.board = known.unwrap_or(table.board);
        }
        What::Double(_) => table.doubler = Some(action.seat),
        What::Take(_) | What::Beaver(_) | What::AfterBeaver(AfterBeaver::Take | AfterBeaver::Raccoon) => {
            table.cube_log2 += 1;
            table.owner = table.doubler.map(Seat::other);
        }
        What::NoDouble(_) | What::Pass(_) | What::AfterBeaver(AfterBeaver::Pass) => {}
    }
}

fn rules(record: &Record, game: &Game) -> Vec<&'static str> {
    let checkers = game.start.on_board();
    let said = [
        (!record.rules.cube, "NoCube"),
        (record.rules.crawford, "Crawford"),
        (game.crawford, "CrawfordGame"),
        (record.rules.jacoby, "Jacoby"),
        (record.rules.variant == Variant::Nackgammon, "Nackgammon"),
        (record.rules.variant == Variant::Hypergammon && checkers == 1, "Hypergammon1"),
        (record.rules.variant == Variant::Hypergammon && checkers == 2, "Hypergammon2"),
        (record.rules.variant == Variant::Hypergammon && checkers > 2, "Hypergammon3"),
    ];
    said.into_iter().filter_map(|(holds, token)| holds.then_some(token)).collect()
}

/// The start that the rules alone give.
fn standard_start(variant: Variant, start: &Board) -> Board {
    let text = match (variant, start.on_board()) {
        (Variant::Nackgammon, _) => "-bb---D-C---dD---c-d---BB-",
        (Variant::Hypergammon, 1) => "-a----------------------A-",
        (Variant::Hypergammon, 2) => "-aa--------------------AA-",
        (Variant::Hypergammon, _) => "-aaa------------------AAA-",
        _ => return Board::START,
    };
    Board::from_text(text).expect("a start position")
}

fn seen(board: &Board, seat: Seat) -> Board {
    if seat == Seat::First { *board } else { board.mirror() }
}

fn owner(cube: Cube, seat: Seat) -> Option<Seat> {
    match cube.owner {
        Owner::Centred => None,
        Owner::Own => Some(seat),
        Owner::Opponent => Some(seat.other()),
    }
}

const fn colour(seat: Seat) -> char {
    match seat {
        Seat::First => 'W',
        Seat::Second => 'B',
    }
}

fn letter(cell: u8, seat: Seat) -> char {
    let index = match (cell, seat) {
        (OFF, _) => 25,
        (BAR, _) => 24,
        (point, Seat::First) => point - 1,
        (point, Seat::Second) => 24 - point,
    };
    char::from(b'a' + index)
}

fn letters(play: &Play, seat: Seat) -> String {
    play.steps().iter().flat_map(|step| [letter(step.from, seat), letter(step.to, seat)]).collect()
}

/// The program's plies: one less than XG's; levels it does not have are taken as its usual one.
const fn plies(depth: Depth) -> u8 {
    match depth {
        Depth::GnuBgPly(plies) => plies,
        Depth::XgPly(plies) => plies.saturating_sub(1),
        _ => 2,
    }
}

fn outputs(odds: Option<Odds>) -> String {
    let Some(odds) = odds else { return "nan nan nan nan nan".to_owned() };
    let all = [odds.win, odds.win_gammon, odds.win_backgammon, odds.lose_gammon, odds.lose_backgammon];
    all.map(|probability| decimal(probability.units(), 8)).join(" ")
}

fn equity(equity: Equity) -> String {
    decimal(equity.units(), 8)
}

/// The standard error in the file's unit, with digits enough to come back as the same hundred-millionth.
fn spread(error: Option<Equity>, length: Length, factor: Option<Factor>) -> String {
    let Some(error) = error else { return "nan".to_owned() };
    match factor {
        Some(factor) if length != Length::Money => format!("{:.15}", error.to_f64() * factor.k()),
        _ => equity(error),
    }
}

/// Six decimals as the program writes them, more where the figure has more.
fn decimal(units: i64, decimals: u32) -> String {
    let (sign, size) = (if units < 0 { "-" } else { "" }, units.unsigned_abs());
    let (one, beyond) = (10u64.pow(decimals), 10u64.pow(decimals - 6));
    let (whole, fraction) = (size / one, size % one);
    if fraction % beyond == 0 {
        return format!("{sign}{whole}.{:06}", fraction / beyond);
    }
    format!("{sign}{whole}.{fraction:0width$}", width = decimals as usize)
}
