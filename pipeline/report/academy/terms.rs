//! How the pages call what the settings may change: where ratings come from, and what a position is worth. A rating that
//! follows from the engine's judgement is never called one of results, and no value is called what it is not.

use serde::Serialize;

/// Where the ratings of backgammon come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RatedBy {
    /// Who beat whom.
    #[default]
    Results,
    /// The engine's judgement of the play.
    Play,
}

/// What a position is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WorthOf {
    /// The chance to win the game.
    #[default]
    Game,
    /// The chance to win the match.
    Match,
}

/// Where ratings begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StartsAt {
    /// 1500.
    #[default]
    Same,
    /// The figure of a list, and 1500 for whoever is not in it.
    Listed,
}

/// What a pattern's N counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CountedBy {
    /// Players who vouch for it.
    #[default]
    Players,
    /// Proposals.
    Proposals,
}

/// All of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Where ratings come from.
    pub rated_by: RatedBy,
    /// What a position is worth.
    pub worth_of: WorthOf,
    /// Where ratings begin.
    pub starts_at: StartsAt,
    /// What counts as a vote.
    pub counted_by: CountedBy,
}

/// The sentences of the templates.
#[derive(Debug, Serialize)]
pub(super) struct Words {
    /// What stands in brackets behind "rating".
    rating: &'static str,
    follows: &'static str,
    reading: String,
    rating_is: String,
    value_is: &'static str,
}

impl Terms {
    pub(super) fn words(self) -> Words {
        let start = self.start();
        Words {
            rating: self.rated_by.bracket(),
            follows: match self.rated_by {
                RatedBy::Results => "it follows from who beat whom, and is not the strength against the engine",
                RatedBy::Play => {
                    "2000 and the strength against the engine over the season\u{2019}s matches so far, whoever won them"
                }
            },
            reading: start.to_owned()
                + match self.rated_by {
                RatedBy::Results => {
                    " A match moves both ratings by the same points where both are experienced, more for a newcomer and more for a long match; beating a stronger player gains more. Ratings run on from season to season. Money sessions and unfinished matches move nothing. Each line has its own scale."
                }
                RatedBy::Play => {
                    " After each match of a stated length the rating is 2000 and the strength against the engine that the player\u{2019}s matches of the season so far amount to; the engine itself would stand at 2000. The last figure of a season holds until the first match of the next. Money sessions move nothing. Each line has its own scale."
                }
            },
            rating_is: match self.rated_by {
                RatedBy::Results => {
                    "from the results of finished matches alone, on the scale of FIBS. "
                }
                RatedBy::Play => {
                    "from the engine\u{2019}s judgement of the play alone: 2000 and the strength against the engine, which is negative. "
                }
            }
            .to_owned()
                + start,
            value_is: match self.worth_of {
                WorthOf::Game => {
                    "expected result between 0 (lost) and 1 (won), gammons counted as wins, the cube left aside; in the opening book a game that nobody analysed counts with its result."
                }
                WorthOf::Match => {
                    "chance of winning the match between 0 and 1, gammons and cube included; the result of a game counts as 0 or 1."
                }
            },
        }
    }

    /// What holds before the first match that rates a player.
    const fn start(self) -> &'static str {
        match (self.rated_by, self.starts_at) {
            (RatedBy::Results, StartsAt::Same) => "Everybody starts at 1500.",
            (RatedBy::Results, StartsAt::Listed) => {
                "Everybody starts at his figure in the club\u{2019}s list of starting ratings; who is not in it starts at 1500."
            }
            (RatedBy::Play, StartsAt::Same) => {
                "Until a first match of his is judged by the engine, 1500 stands in for a player\u{2019}s rating."
            }
            (RatedBy::Play, StartsAt::Listed) => {
                "Until a first match of his is judged by the engine, his figure in the club\u{2019}s list of starting ratings stands in for a player\u{2019}s rating; 1500 where he is not in it."
            }
        }
    }

    /// What a player's page says of the two scales it shows.
    pub(super) const fn scales(self) -> &'static str {
        match self.rated_by {
            RatedBy::Results => {
                "The rating follows from results, the strength from the engine\u{2019}s judgement of the play: two scales that do not meet."
            }
            RatedBy::Play => {
                "The rating is 2000 and the strength against the engine as the season\u{2019}s matches made it known, whoever won them."
            }
        }
    }

    /// What the notes say of values.
    pub(super) const fn values(self) -> &'static str {
        match self.worth_of {
            WorthOf::Game => {
                "Values are the analysis\u{2019}s chance of winning the game; where it gives none, they are estimated from the equity. A side that nobody analysed gives plays and no values; a game without any value counts in the opening book with its result."
            }
            WorthOf::Match => {
                "Values are the chance of winning the match, from the equity at the score and cube of the play. Money sessions and sides that nobody analysed give plays and no values; a game without any value counts in the opening book with its result."
            }
        }
    }
}

impl RatedBy {
    /// What stands in brackets behind "rating".
    pub(super) const fn bracket(self) -> &'static str {
        match self {
            Self::Results => "results",
            Self::Play => "play",
        }
    }
}
