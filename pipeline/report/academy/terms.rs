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

/// Both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Where ratings come from.
    pub rated_by: RatedBy,
    /// What a position is worth.
    pub worth_of: WorthOf,
}

/// The sentences of the templates.
#[derive(Debug, Serialize)]
pub(super) struct Words {
    /// What stands in brackets behind "rating".
    rating: &'static str,
    follows: &'static str,
    reading: &'static str,
    rating_is: &'static str,
    won: &'static str,
    value_is: &'static str,
}

impl Terms {
    pub(super) const fn words(self) -> Words {
        Words {
            rating: self.rated_by.bracket(),
            follows: match self.rated_by {
                RatedBy::Results => "it follows from who beat whom, and is not the strength against the engine",
                RatedBy::Play => {
                    "2000 and the strength against the engine over the season\u{2019}s matches so far, whoever won them"
                }
            },
            reading: match self.rated_by {
                RatedBy::Results => {
                    "Everybody starts at 1500. A match moves both ratings by the same points where both are experienced, more for a newcomer and more for a long match; beating a stronger player gains more. Ratings run on from season to season. Money sessions and unfinished matches move nothing. Each line has its own scale."
                }
                RatedBy::Play => {
                    "Everybody starts at 1500. After each match of a stated length the rating is 2000 and the strength against the engine that the player\u{2019}s matches of the season so far amount to; the engine itself would stand at 2000. The last figure of a season holds until the first match of the next. Money sessions move nothing. Each line has its own scale."
                }
            },
            rating_is: match self.rated_by {
                RatedBy::Results => {
                    "from the results of finished matches alone, on the scale of FIBS: everybody starts at 1500."
                }
                RatedBy::Play => {
                    "from the engine\u{2019}s judgement of the play alone: 2000 and the strength against the engine, which is negative. Everybody starts at 1500."
                }
            },
            won: match self.worth_of {
                WorthOf::Game => "",
                WorthOf::Match => " the match",
            },
            value_is: match self.worth_of {
                WorthOf::Game => {
                    "expected result between 0 (lost) and 1 (won), gammons counted as wins, the cube left aside."
                }
                WorthOf::Match => {
                    "chance of winning the match between 0 and 1, gammons and cube included; the result of a game counts as 0 or 1."
                }
            },
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
                "Values are the analysis\u{2019}s chance of winning the game; where it gives none, they are estimated from the equity. A side that nobody analysed gives plays and results, and no values."
            }
            WorthOf::Match => {
                "Values are the chance of winning the match, from the equity at the score and cube of the play. Money sessions and sides that nobody analysed give plays and results, and no values."
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
