//! The players of one game: ratings, opening budgets, and the numbers the libraries know them by.

use super::consult::Budget;
use super::contest::{Contest, Rated, Side};
use super::rating::Standing;
use super::shelf::PlayerId;
use super::units::Elo;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Starting figures by canonical name, such as a federation's list.
pub type Seeds = BTreeMap<String, Standing>;

/// One player.
#[derive(Clone, Debug)]
pub(super) struct Player {
    pub(super) name: Arc<str>,
    /// The Academy's own rating, once he has been rated by it.
    pub(super) standing: Option<Standing>,
    /// The rating last stated by the input.
    pub(super) stated: Option<Elo>,
    pub(super) budget: Budget,
    pub(super) contests: u64,
}

/// The players of one game. A number is a place in the list; what is written goes by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Roster {
    players: Vec<Player>,
    numbers: HashMap<Arc<str>, PlayerId>,
}

impl Player {
    pub(super) const fn new(name: Arc<str>) -> Self {
        Self { name, standing: None, stated: None, budget: Budget { decisions: 0, taken: 0 }, contests: 0 }
    }

    /// Present rating: the Academy's own, else what the input last stated.
    pub(super) fn rating(&self) -> Option<Elo> {
        self.standing.map(|standing| standing.rating).or(self.stated)
    }
}

impl Roster {
    /// Number of the player with that name; he is entered if new.
    pub(super) fn number(&mut self, name: &str) -> PlayerId {
        match self.numbers.get(name) {
            Some(&number) => number,
            None => self.enter(Player::new(Arc::from(name))),
        }
    }

    /// Enters a player nobody of that name was entered before.
    pub(super) fn enter(&mut self, player: Player) -> PlayerId {
        // Four thousand million players do not fit in memory, let alone in a club.
        let number = PlayerId::try_from(self.players.len()).unwrap_or(PlayerId::MAX);
        self.numbers.insert(Arc::clone(&player.name), number);
        self.players.push(player);
        number
    }

    pub(super) fn find(&self, name: &str) -> Option<PlayerId> {
        self.numbers.get(name).copied()
    }

    pub(super) fn player(&self, number: PlayerId) -> Option<&Player> {
        self.players.get(number as usize)
    }

    pub(super) fn player_mut(&mut self, number: PlayerId) -> Option<&mut Player> {
        self.players.get_mut(number as usize)
    }

    pub(super) fn players(&self) -> impl Iterator<Item = (PlayerId, &Player)> {
        (0..).zip(&self.players)
    }

    pub(super) fn name(&self, number: PlayerId) -> &str {
        self.player(number).map_or("", |player| &player.name)
    }

    /// The Academy's own rating of a player; an unrated one has the starting figure.
    pub(super) fn standing(&self, name: &str, seeds: Option<&Seeds>) -> Standing {
        let known = self.find(name).and_then(|number| self.player(number)?.standing);
        known.or_else(|| seeds?.get(name).copied()).unwrap_or_default()
    }

    /// Elo of both players before a contest.
    pub(super) fn elos(&self, contest: &Contest, seeds: &Seeds) -> [Elo; 2] {
        let own = |seeds| [Side::First, Side::Second].map(|side| self.standing(contest.player(side), seeds).rating);
        match contest.rated {
            Rated::Stated(first, second) => [first, second],
            Rated::ByMatch => own(Some(seeds)),
            Rated::ByContest => own(None),
        }
    }
}
