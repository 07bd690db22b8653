//! What the cells of the table `cells` part a match by, and what the cells are called.
//!
//! `rate` writes these words and the measures read them; they are spelled here and nowhere else. A dimension whose cells
//! are a closed list has it here, in the order a page shows it; the others (plans, depths, scores) take their words from
//! the column they come from.

/// What decisions are parted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dimension {
    /// Phase of the position.
    Phase,
    /// Game plan, decider's side.
    Plan,
    /// Errors by what they were about, or [`NO_THEME`]; decisions under the Error threshold are in no cell.
    Theme,
    /// Points both need: [`score_cell`].
    Score,
    /// Kind of decision.
    Kind,
    /// Cube actions by the best action of the position.
    BestAction,
    /// Cube actions by the direction of their error: [`DIRECTIONS`].
    Direction,
    /// Thinking time: [`TIMES`]; decisions without a time are in no cell.
    Time,
    /// Size of the error: [`SIZES`].
    Histogram,
    /// Depth of the analysis of the best, or [`UNKNOWN`].
    Depth,
    /// The base of each signed bias: [`BIASES`].
    Bias,
    /// The base of the bias of doubles, by score: [`score_cell`].
    DoubleByScore,
    /// Plan and nature together: [`plan_nature_cell`].
    PlanNature,
    /// Place among the player's counted decisions of the match: [`RANKS`].
    Rank,
    /// What the score puts at stake: [`PRESSURES`].
    Pressure,
    /// Thinking time against the player's median of the match and nature: [`CLOCKS`].
    Clock,
}

impl Dimension {
    /// All of them.
    pub const ALL: [Self; 16] = [
        Self::Phase,
        Self::Plan,
        Self::Theme,
        Self::Score,
        Self::Kind,
        Self::BestAction,
        Self::Direction,
        Self::Time,
        Self::Histogram,
        Self::Depth,
        Self::Bias,
        Self::DoubleByScore,
        Self::PlanNature,
        Self::Rank,
        Self::Pressure,
        Self::Clock,
    ];

    /// The stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Phase => "phase",
            Self::Plan => "plan",
            Self::Theme => "theme",
            Self::Score => "score",
            Self::Kind => "kind",
            Self::BestAction => "best_action",
            Self::Direction => "direction",
            Self::Time => "time",
            Self::Histogram => "histogram",
            Self::Depth => "depth",
            Self::Bias => "bias",
            Self::DoubleByScore => "double_by_score",
            Self::PlanNature => "plan_nature",
            Self::Rank => "rank",
            Self::Pressure => "pressure",
            Self::Clock => "clock",
        }
    }
}

/// An error no theme fits.
pub const NO_THEME: &str = "none";
/// What a row does not say.
pub const UNKNOWN: &str = "unknown";
/// Money play, a score of its own.
pub const MONEY: &str = "money";

/// Takes and passes: too much = a wrong take.
pub const BIAS_TAKE: &str = "take";
/// No doubles and doubles: too much = a double that should not have been.
pub const BIAS_DOUBLE: &str = "double";
/// Checker plays with contact: too much = more blots than the best play leaves.
pub const BIAS_BLOTS: &str = "blots";
/// The three signed biases.
pub const BIASES: [&str; 3] = [BIAS_TAKE, BIAS_DOUBLE, BIAS_BLOTS];

/// A right offer, or a right decision not to offer.
pub const OFFER_RIGHT: &str = "offer_right";
/// A double that was missed.
pub const OFFER_MISSED: &str = "offer_missed";
/// A double that should not have been.
pub const OFFER_PREMATURE: &str = "offer_premature";
/// A right answer.
pub const ANSWER_RIGHT: &str = "answer_right";
/// A pass that should have been a take.
pub const ANSWER_WRONG_PASS: &str = "answer_wrong_pass";
/// A take that should have been a pass.
pub const ANSWER_WRONG_TAKE: &str = "answer_wrong_take";
/// The matrix of directions: offers, then answers.
pub const DIRECTIONS: [&str; 6] =
    [OFFER_RIGHT, OFFER_MISSED, OFFER_PREMATURE, ANSWER_RIGHT, ANSWER_WRONG_PASS, ANSWER_WRONG_TAKE];

/// Thinking time in seconds: the lower end (included) of each band, and its word.
pub const TIMES: [(i64, &str); 4] = [(0, "0-5"), (5, "5-15"), (15, "15-30"), (30, "30+")];

/// Error in mpt: the lower end (included) of each class, and its word. A class ends where the next one begins.
pub const SIZES: [(i64, &str); 6] = [(0, "0"), (5, "5"), (10, "10"), (25, "25"), (50, "50"), (100, "100")];

/// Place in the match: the first rank of each slice of thirty counted decisions, and its word.
pub const RANKS: [(i64, &str); 4] = [(1, "1-30"), (31, "31-60"), (61, "61-90"), (91, "91+")];

/// Both at one point.
pub const DMP: &str = "dmp";
/// The Crawford game.
pub const CRAWFORD: &str = "crawford";
/// After it.
pub const POST_CRAWFORD: &str = "post_crawford";
/// Every other score, and money.
pub const NO_PRESSURE: &str = "other";
/// What the score puts at stake; the first that fits.
pub const PRESSURES: [&str; 4] = [DMP, CRAWFORD, POST_CRAWFORD, NO_PRESSURE];

/// Faster than the player's own median.
pub const QUICK: &str = "quick";
/// At the median or slower.
pub const CONSIDERED: &str = "considered";
/// Thinking time against the player's own median.
pub const CLOCKS: [&str; 2] = [QUICK, CONSIDERED];

/// The word of the band a value lies in; `None` below the first.
#[must_use]
pub fn band(bands: &[(i64, &'static str)], value: i64) -> Option<&'static str> {
    bands.iter().rev().find(|(from, _)| value >= *from).map(|(_, word)| *word)
}

/// `5-3`: points the decider needs, points the opponent needs (1 after the Crawford game as in it); `money`.
#[must_use]
pub fn score_cell(own_away: i64, opp_away: i64) -> String {
    if (own_away, opp_away) == (0, 0) { MONEY.to_owned() } else { format!("{own_away}-{opp_away}") }
}

/// Reads [`score_cell`]: (0, 0) for money.
#[must_use]
pub fn score_of(cell: &str) -> Option<(i64, i64)> {
    if cell == MONEY {
        return Some((0, 0));
    }
    let (own, opponent) = cell.split_once('-')?;
    Some((own.parse().ok()?, opponent.parse().ok()?))
}

/// `holding/cube`.
#[must_use]
pub fn plan_nature_cell(plan: &str, nature: &str) -> String {
    format!("{plan}/{nature}")
}

/// Reads [`plan_nature_cell`].
#[must_use]
pub fn plan_nature_of(cell: &str) -> Option<(&str, &str)> {
    cell.split_once('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_begin_at_their_lower_end() {
        let time = |seconds| band(&TIMES, seconds);
        assert_eq!([0, 4, 5, 14, 15, 29, 30, 900].map(time), {
            let [a, b, c, d] = TIMES.map(|(_, word)| Some(word));
            [a, a, b, b, c, c, d, d]
        });
        let rank = |rank| band(&RANKS, rank);
        assert_eq!([0, 1, 30, 31, 60, 61, 90, 91].map(rank), {
            let [a, b, c, d] = RANKS.map(|(_, word)| Some(word));
            [None, a, a, b, b, c, c, d]
        });
    }

    #[test]
    fn scores_are_read_as_they_are_written() {
        for score in [(0, 0), (7, 7), (1, 13), (70, 2)] {
            assert_eq!(score_of(&score_cell(score.0, score.1)), Some(score));
        }
        assert_eq!(score_of("five-three"), None);
    }

    #[test]
    fn no_two_dimensions_share_a_token() {
        let tokens: std::collections::BTreeSet<_> = Dimension::ALL.into_iter().map(Dimension::token).collect();
        assert_eq!(tokens.len(), Dimension::ALL.len());
    }
}
