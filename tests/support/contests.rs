//! Made-up contests from a seed, in a game that does not exist: four quarters of eight cells, 21 outcomes of chance.

use jiff::civil::Date;
use portes::academy::Seeds;
use portes::academy::alphabet::Symbol;
use portes::academy::area::{Area, Place};
use portes::academy::contest::{Candidate, Contest, FinishedMatch, Outcome, Ply, Rated, Rules, Schedule, Side};
use portes::academy::rating::Standing;
use portes::academy::units::{Cost, Elo, VALUE_SCALE, Value};
use std::sync::Arc;

/// A stream of numbers from a seed (SplitMix64).
pub struct Stream(pub u64);

impl Stream {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// A season that never ends: contest after contest, in order.
pub struct Season {
    places: Vec<Arc<Place>>,
    stream: Stream,
    players: u64,
    number: u64,
}

impl Season {
    pub fn new(seed: u64, players: u64) -> Self {
        let place = |name| Arc::new(Place::new(name, &[8]).unwrap());
        let places = ["near", "mid near", "mid far", "far"].map(place).to_vec();
        Self { places, stream: Stream(seed), players, number: 0 }
    }

    /// Ratings the players start with: wide apart, so that the strong can sharpen what the weak have filed.
    pub fn seeds(&self) -> Seeds {
        let rating = |player| 2000.0 - 800.0 * player as f64 / self.players as f64;
        let standing = |player| Standing { rating: Elo::from_points(rating(player)).unwrap(), experience: 400 };
        (0..self.players).map(|player| (name(player), standing(player))).collect()
    }

    /// The next contest, a match of its own, and how that match ended if it did.
    pub fn contest(&mut self) -> (Contest, Option<FinishedMatch>) {
        self.number += 1;
        let first = self.stream.below(self.players);
        let second = (first + 1 + self.stream.below(self.players - 1)) % self.players;
        let (strong, weak) = (first.min(second), first.max(second));
        // The smaller the number the stronger, so ratings spread and every step of filing happens.
        let first_wins = (self.stream.below(self.players + weak - strong) >= self.players / 2) == (first == strong);
        let outcome = match self.stream.below(50) {
            0 => Outcome::Unfinished,
            1 => Outcome::Draw,
            _ if first_wins => Outcome::First,
            _ => Outcome::Second,
        };
        let (first, second) = (name(first), name(second));
        let id = format!("c{:07}", self.number);
        let plies = self.plies(first_wins);
        let contest = Contest {
            contest_id: id.clone(),
            game: "quarters".to_owned(),
            rules: Rules { symmetric: true, chance_outcomes: 21, middle_from: Some(4) },
            schedule: Schedule {
                season: "made".to_owned(),
                date: Some(Date::constant(2026, 1, 1 + (self.number / 4000 % 28) as i8)),
                event: String::new(),
                round: String::new(),
                match_id: id.clone(),
                seq: 1,
            },
            first: first.clone(),
            second: second.clone(),
            rated: Rated::ByMatch,
            outcome,
            ends_on_board: self.stream.below(2) == 0,
            first_contact: Some(1 + self.stream.below(6) as u32),
            estimated: 0,
            plies,
        };
        let (winner, loser) = if first_wins { (first, second) } else { (second, first) };
        let finished = FinishedMatch {
            game: "quarters".to_owned(),
            match_id: id,
            date: contest.schedule.date,
            winner,
            loser,
            length: 1 + self.stream.below(5) as u32 * 2,
        };
        (contest, (outcome != Outcome::Unfinished).then_some(finished))
    }

    fn plies(&mut self, first_wins: bool) -> Vec<Ply> {
        let length = 20 + self.stream.below(60);
        let mut first_value = VALUE_SCALE / 2;
        (1..=length)
            .map(|i| {
                let drift = if first_wins { 4 } else { -4 };
                let step = (self.stream.below(300) as i64 - 150 + drift) * (VALUE_SCALE / 1000);
                let before = first_value;
                first_value = (first_value + step).clamp(0, VALUE_SCALE);
                self.ply(i, before, first_value)
            })
            .collect()
    }

    fn ply(&mut self, i: u64, before: i64, after: i64) -> Ply {
        let by = if i % 2 == 1 { Side::First } else { Side::Second };
        let own = |value: i64| if by == Side::First { value } else { VALUE_SCALE - value };
        let choices = self.stream.below(25) as u32;
        let asks = i <= 15 || own(before) < VALUE_SCALE / 3;
        let candidates: Vec<Candidate> =
            (0..if asks { u64::from(choices).min(10) } else { 0 }).map(|n| self.candidate(i, n, own(after))).collect();
        let played = candidates.get(self.stream.below(3) as usize).cloned();
        let played = played.unwrap_or_else(|| self.candidate(i, 0, own(after)));
        Ply {
            by,
            chance: Some(format!("{}", self.stream.below(21))),
            label: played.label,
            key: played.key,
            value: Value::from_billionths(own(after)),
            before: None,
            areas: if choices == 0 { Vec::new() } else { played.areas },
            choices: Some(choices),
            cost: played.cost,
            candidates,
        }
    }

    fn candidate(&mut self, i: u64, n: u64, value: i64) -> Candidate {
        // Few different positions early, so that the opening tree is walked again and again.
        let key = self.stream.below(3 + i * i);
        let areas = 1 + self.stream.below(3) as usize;
        let start = self.stream.below(4) as usize;
        let areas = (start..start + areas).map(|place| self.area(place % 4)).collect();
        Candidate {
            label: format!("move {key}"),
            key: format!("position {i} {key}"),
            value: Value::from_billionths((value - n as i64 * 1_000_000).max(0)),
            cost: Some(Cost::from_billionths(n as i64 * 8_000_000)),
            areas,
        }
    }

    /// One of the shapes of the place, the first ones oftener, with up to two cells otherwise: so positions recur.
    fn area(&mut self, place: usize) -> Area {
        let shape = self.stream.below(SHAPES).min(self.stream.below(SHAPES));
        let mut shape = Stream(shape * 4 + place as u64);
        let mut symbols: Vec<Symbol> = (0..8).map(|_| symbol(&mut shape)).collect();
        for _ in 0..self.stream.below(3) {
            symbols[self.stream.below(8) as usize] = symbol(&mut self.stream);
        }
        Area::new(&self.places[place], &symbols).unwrap()
    }
}

fn name(player: u64) -> String {
    format!("p{player:04}")
}

/// Shapes of a place.
const SHAPES: u64 = 400;

fn symbol(stream: &mut Stream) -> Symbol {
    match stream.below(20) {
        0..10 => Symbol::EMPTY,
        10..13 => Symbol::BLACK_SOLDIER,
        13..16 => Symbol::BLACK_KING,
        16..18 => Symbol::WHITE_SOLDIER,
        _ => Symbol::WHITE_KING,
    }
}
