//! The `[academy]` section: what was written ([`Settings`]) and what holds ([`Bylaws`]).
//!
//! Written figures are decimals; bylaws are the fixed point the core compares in, checked once. Nothing later reads a
//! decimal again: 0.75 − 0.55 is less than 0.2 in floating point.

use super::units::{ELO_SCALE, Elo, VALUE_SCALE, Value};
use serde::{Deserialize, Serialize};

/// What an expected value is taken from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueOf {
    /// The probability of winning the contest.
    #[default]
    Win,
    /// The probability of winning the match; only where all matches have one length.
    Mwc,
}

/// Whose voice a pattern's signature counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VotesBy {
    /// One player, one vote.
    #[default]
    Players,
    /// Each player weighs by his number of proposals.
    Proposals,
}

/// Which plies the endgame library takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    /// Plies numbered past four fifths of the mean length.
    #[default]
    Mean,
    /// The last fifth of a mean length of each contest.
    Tail,
}

/// How a gain is measured before it is published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// On the scale 0 … 1.
    #[default]
    Absolute,
    /// As a share of the value before.
    Relative,
}

/// Whose rating a player's Elo is, where the input states none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Computed from the results themselves.
    #[default]
    Results,
    /// 2000 + the strength against the engine known before the match; the adapter hands it in
    /// ([`Rerated`](super::contest::Rerated)).
    Machine,
}

/// The section as written; every field has the default of the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Whether it is kept at all.
    pub enabled: bool,
    /// What an expected value is taken from; the adapter reads it.
    pub value: ValueOf,
    /// Whose voice counts.
    pub votes: VotesBy,
    /// Opening tree.
    pub fuseki: FusekiSettings,
    /// Middle-game library.
    pub chuban: ChubanSettings,
    /// Endgame library.
    pub yose: YoseSettings,
    /// When patterns merge.
    pub filing: FilingSettings,
    /// When a move is published.
    pub publish: PublishSettings,
    /// When advice is asked for.
    pub consult: ConsultSettings,
    /// Ratings.
    pub ratings: RatingSettings,
}

/// `[academy.fuseki]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FusekiSettings {
    /// Nodes kept, the root not counted.
    pub max_nodes: usize,
    /// The opening is this share of the mean length.
    pub depth_share: [u32; 2],
    /// A node with fewer children is never pruned.
    pub prune_min_children: usize,
}

/// `[academy.chuban]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChubanSettings {
    /// Patterns kept.
    pub max_patterns: usize,
    /// First ply of the middle game; absent: the game's preset, else the ply after the opening.
    pub first_ply: Option<u32>,
}

/// `[academy.yose]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct YoseSettings {
    /// Patterns kept.
    pub max_patterns: usize,
    /// Which plies are filed.
    pub window: Window,
    /// The endgame is this last share of the mean length.
    pub last_share: [u32; 2],
}

/// `[academy.filing]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FilingSettings {
    /// Within it patterns generalise, above it they specialise.
    pub elo_band: f64,
    /// Above it a value is firmly good.
    pub firm_high: f64,
    /// Below it a value is firmly bad.
    pub firm_low: f64,
    /// Cells of the known pattern that one merge may change.
    pub max_changed_cells: u32,
    /// Share of wild cells that a change may leave.
    pub max_wild_share: [u32; 2],
}

/// `[academy.publish]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PublishSettings {
    /// The opponent's Elo must exceed the player's less this.
    pub elo_margin: f64,
    /// Least gain.
    pub gain: f64,
    /// Least gain from below one half to above it.
    pub gain_crossing: f64,
    /// How the gain is measured.
    pub scale: Scale,
    /// Games of chance: what the play may have lost against the best one, in the adapter's unit.
    pub max_cost: f64,
}

/// `[academy.consult]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConsultSettings {
    /// Share of a player's opening decisions that may be consulted.
    pub opening_share: [u32; 2],
    /// Middle and end are consulted only below this value.
    pub low_value: f64,
    /// A proposal's mean Elo must exceed the player's less this.
    pub elo_margin: f64,
}

/// `[academy.ratings]`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RatingSettings {
    /// Where ratings come from.
    pub source: Source,
    /// File of starting figures: player, rating, experience.
    pub seed: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            enabled: true,
            value: ValueOf::default(),
            votes: VotesBy::default(),
            fuseki: FusekiSettings::default(),
            chuban: ChubanSettings::default(),
            yose: YoseSettings::default(),
            filing: FilingSettings::default(),
            publish: PublishSettings::default(),
            consult: ConsultSettings::default(),
            ratings: RatingSettings::default(),
        }
    }
}

impl Default for FusekiSettings {
    fn default() -> Self {
        Self { max_nodes: 1000, depth_share: [1, 3], prune_min_children: 2 }
    }
}

impl Default for ChubanSettings {
    fn default() -> Self {
        Self { max_patterns: 1000, first_ply: None }
    }
}

impl Default for YoseSettings {
    fn default() -> Self {
        Self { max_patterns: 5000, window: Window::Mean, last_share: [1, 5] }
    }
}

impl Default for FilingSettings {
    fn default() -> Self {
        Self { elo_band: 200.0, firm_high: 0.66, firm_low: 0.33, max_changed_cells: 1, max_wild_share: [1, 3] }
    }
}

impl Default for PublishSettings {
    fn default() -> Self {
        Self { elo_margin: 100.0, gain: 0.20, gain_crossing: 0.10, scale: Scale::Absolute, max_cost: 0.020 }
    }
}

impl Default for ConsultSettings {
    fn default() -> Self {
        Self { opening_share: [1, 4], low_value: 0.33, elo_margin: 200.0 }
    }
}

/// A share of whole numbers, at most one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Numerator.
    pub of: u64,
    /// Denominator, at least 1.
    pub whole: u64,
}

/// What holds: the settings checked and in fixed point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bylaws {
    /// Whose voice counts.
    pub votes: VotesBy,
    /// Opening tree.
    pub fuseki: FusekiLaw,
    /// Patterns in Chuban.
    pub chuban_patterns: usize,
    /// First ply of the middle game, if the settings fix it.
    pub middle_from: Option<u32>,
    /// Patterns in Yose.
    pub yose_patterns: usize,
    /// Which plies Yose takes.
    pub window: Window,
    /// The endgame's share of the mean length.
    pub last_share: Share,
    /// When patterns merge.
    pub filing: FilingLaw,
    /// When a move is published.
    pub publish: PublishLaw,
    /// When advice is asked for.
    pub consult: ConsultLaw,
}

/// Sizes of the opening tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FusekiLaw {
    /// Nodes kept, the root not counted.
    pub max_nodes: usize,
    /// The opening's share of the mean length.
    pub depth_share: Share,
    /// A node with fewer children is never pruned.
    pub prune_min_children: usize,
}

/// When patterns merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilingLaw {
    /// Within it patterns generalise, above it they specialise.
    pub elo_band: Elo,
    /// Above it a value is firmly good.
    pub firm_high: Value,
    /// Below it a value is firmly bad.
    pub firm_low: Value,
    /// Cells one merge may change.
    pub max_changed_cells: u32,
    /// Share of wild cells that a change may leave.
    pub max_wild_share: Share,
}

/// When a move is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishLaw {
    /// The opponent's Elo must exceed the player's less this.
    pub elo_margin: Elo,
    /// Least gain.
    pub gain: Value,
    /// Least gain across one half.
    pub gain_crossing: Value,
    /// How the gain is measured.
    pub scale: Scale,
    /// Billionths of the adapter's unit.
    pub max_cost: i64,
}

/// When advice is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConsultLaw {
    /// Share of opening decisions.
    pub opening_share: Share,
    /// Middle and end are consulted only below this value.
    pub low_value: Value,
    /// A proposal's mean Elo must exceed the player's less this.
    pub elo_margin: Elo,
}

impl Settings {
    /// The bylaws these settings make; an error names the field and what it must be.
    pub fn bylaws(&self) -> Result<Bylaws, String> {
        Ok(Bylaws {
            votes: self.votes,
            fuseki: FusekiLaw {
                max_nodes: at_least_one("fuseki.max_nodes", self.fuseki.max_nodes)?,
                depth_share: share("fuseki.depth_share", self.fuseki.depth_share)?,
                prune_min_children: at_least_one("fuseki.prune_min_children", self.fuseki.prune_min_children)?,
            },
            chuban_patterns: at_least_one("chuban.max_patterns", self.chuban.max_patterns)?,
            middle_from: self.chuban.first_ply,
            yose_patterns: at_least_one("yose.max_patterns", self.yose.max_patterns)?,
            window: self.yose.window,
            last_share: share("yose.last_share", self.yose.last_share)?,
            filing: self.filing.law()?,
            publish: self.publish.law()?,
            consult: ConsultLaw {
                opening_share: share("consult.opening_share", self.consult.opening_share)?,
                low_value: value("consult.low_value", self.consult.low_value)?,
                elo_margin: elo("consult.elo_margin", self.consult.elo_margin)?,
            },
        })
    }
}

impl FilingSettings {
    fn law(&self) -> Result<FilingLaw, String> {
        Ok(FilingLaw {
            elo_band: elo("filing.elo_band", self.elo_band)?,
            firm_high: value("filing.firm_high", self.firm_high)?,
            firm_low: value("filing.firm_low", self.firm_low)?,
            max_changed_cells: self.max_changed_cells,
            max_wild_share: share("filing.max_wild_share", self.max_wild_share)?,
        })
    }
}

impl PublishSettings {
    fn law(&self) -> Result<PublishLaw, String> {
        Ok(PublishLaw {
            elo_margin: elo("publish.elo_margin", self.elo_margin)?,
            gain: value("publish.gain", self.gain)?,
            gain_crossing: value("publish.gain_crossing", self.gain_crossing)?,
            scale: self.scale,
            max_cost: value("publish.max_cost", self.max_cost)?.billionths(),
        })
    }
}

fn at_least_one(name: &str, count: usize) -> Result<usize, String> {
    if count == 0 { Err(format!("academy.{name} must be at least 1")) } else { Ok(count) }
}

fn share(name: &str, [of, whole]: [u32; 2]) -> Result<Share, String> {
    if whole == 0 || of > whole {
        return Err(format!("academy.{name} must be a share [part, whole] of at most one"));
    }
    Ok(Share { of: of.into(), whole: whole.into() })
}

fn value(name: &str, written: f64) -> Result<Value, String> {
    Value::from_share(written).ok_or_else(|| format!("academy.{name} must be between 0 and 1, not {written}"))
}

fn elo(name: &str, written: f64) -> Result<Elo, String> {
    Elo::from_points(written)
        .filter(|elo| elo.millionths() >= 0)
        .ok_or_else(|| format!("academy.{name} must be a number of Elo points, not {written}"))
}

/// A whole value and a whole Elo point, as the sums of this room multiply them.
pub(super) const VALUE_ONE: i128 = VALUE_SCALE as i128;
/// One Elo point.
pub(super) const ELO_ONE: i128 = ELO_SCALE as i128;
