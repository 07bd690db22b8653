//! One decision, judged: the row and its candidates in, every rated column out.
//!
//! The order of the questions matters and is kept in [`Decision::rate`]: a decision is rated or has a reason why not;
//! only a rated one counts; only a counted one has difficulty and theme. What is absent stays absent: no column is 0
//! because a figure was missing.

use super::theme::{Chances, Contact, Outlook, Structure, Theme};
use super::{ForcedRule, Rules, counting, difficulty, error, phase, plan, theme};
use crate::game::cube::CubeEquities;
use crate::game::key::PositionKey;
use crate::game::met::{Factor, Met};
use crate::game::{Board, CubeAction, Equity, Kind, Length, Mpt, Mwc, Play, Probability, Regime, Score};
use crate::tables::facts::{CandidateRow, DecisionRow};

/// Phase and plan of a row whose position cannot be read.
const UNKNOWN: &str = "unknown";

/// Whose statistics a match can be compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Statistics {
    /// The file is XG's: it flags the plays that XG leaves out.
    Xg,
    /// Another format.
    Other,
}

impl Statistics {
    /// Of the rows of one match: only XG's files have its flag.
    pub(super) fn of(rows: &[DecisionRow]) -> Self {
        if rows.iter().any(|row| row.xg_forced.is_some()) { Self::Xg } else { Self::Other }
    }
}

/// Where a row stands in a beaver. The stored flag marks the beaver and what follows it alike; the beaver is the first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// No beaver, or the beaver itself.
    Ordinary,
    /// Acceptance, refusal or raccoon: no decision of the measures.
    AfterBeaver,
}

/// What the rows around one say about it.
#[derive(Clone, Copy)]
pub(super) struct Setting {
    pub(super) statistics: Statistics,
    pub(super) turn: Turn,
}

/// Why a decision has no error.
#[derive(Clone, Copy)]
enum Unrated {
    NoAnalysis,
    NotListed,
    Illegal,
    Beaver,
}

impl Unrated {
    const fn token(self) -> &'static str {
        match self {
            Self::NoAnalysis => "no_analysis",
            Self::NotListed => "not_listed",
            Self::Illegal => "illegal",
            Self::Beaver => "beaver",
        }
    }
}

/// A row with its parts read.
pub(super) struct Decision<'a> {
    row: &'a DecisionRow,
    options: &'a [CandidateRow],
    setting: Setting,
    kind: Option<Kind>,
    board: Option<Board>,
    factor: Option<Factor>,
}

/// The rated columns.
pub(super) struct Rating {
    error: Result<Equity, Unrated>,
    forced: bool,
    counted: bool,
    xg_counted: Option<bool>,
    luck: Option<Mwc>,
    loss: Option<Mwc>,
    xg_loss: Option<Mwc>,
    difficulty: Option<Mwc>,
    avoidable: bool,
    theme: Option<Theme>,
    blots_played: Option<u8>,
    blots_best: Option<u8>,
    board: Option<Board>,
}

impl<'a> Decision<'a> {
    pub(super) fn read(row: &'a DecisionRow, options: &'a [CandidateRow], setting: Setting) -> Self {
        Self {
            row,
            options,
            setting,
            kind: Kind::from_token(&row.kind),
            board: PositionKey::from_text(&row.position_key).ok().map(|key| key.board),
            factor: factor(row),
        }
    }

    pub(super) fn rate(&self, rules: &Rules) -> Rating {
        let error = self.error();
        let forced = self.is_forced(rules.forced);
        let counted = error.is_ok() && self.counts(forced);
        let xg_counted = self.xg_counts().map(|counts| counts && error.is_ok());
        let e_mpt = error.ok().map(Equity::mpt);
        let loss = e_mpt.and_then(|mpt| self.price(equity(mpt)));
        let xg_loss = error.ok().filter(|_| xg_counted == Some(true)).and_then(|raw| self.price(raw));
        let difficulty = if counted && loss.is_some() { self.difficulty() } else { None };
        let is_error = counted && e_mpt.is_some_and(|mpt| mpt >= rules.error);
        let avoidable = is_error && loss.zip(difficulty).is_some_and(|(loss, d)| difficulty::is_avoidable(loss, d));
        let [best, played] = self.outlooks();
        let theme = if counted && e_mpt > Some(Mpt(0)) { self.theme(best, played) } else { None };
        let blots = |outlook: Outlook| outlook.structure.map(|structure| structure.blots);
        Rating {
            error,
            forced,
            counted,
            xg_counted,
            luck: self.row.luck.and_then(|luck| self.price(Equity::from_units(luck))),
            loss,
            xg_loss,
            difficulty,
            avoidable,
            theme,
            blots_played: blots(played),
            blots_best: blots(best),
            board: self.board,
        }
    }

    fn error(&self) -> Result<Equity, Unrated> {
        match self.kind.ok_or(Unrated::NoAnalysis)? {
            Kind::Cube(_) if self.setting.turn == Turn::AfterBeaver => Err(Unrated::Beaver),
            Kind::Cube(action) => self.cube().map(|cube| error::of_action(action, cube)).ok_or(Unrated::NoAnalysis),
            Kind::Checker => self.play_error(),
        }
    }

    fn play_error(&self) -> Result<Equity, Unrated> {
        if !self.row.analysed {
            return Err(Unrated::NoAnalysis);
        }
        if self.row.illegal {
            return Err(Unrated::Illegal);
        }
        if self.row.legal_plays.is_some_and(|legal| legal <= 1) {
            return Ok(Equity::ZERO);
        }
        let best = self.best().and_then(value).ok_or(Unrated::NoAnalysis)?;
        let played = self.played().and_then(value).ok_or(Unrated::NotListed)?;
        Ok(error::of_play(best, played))
    }

    fn is_forced(&self, rule: ForcedRule) -> bool {
        if self.kind != Some(Kind::Checker) {
            return false;
        }
        let derived = || {
            let equities: Vec<Equity> = self.options.iter().filter_map(value).collect();
            counting::is_forced(self.row.legal_plays, &equities)
        };
        match rule {
            ForcedRule::Derived => derived(),
            ForcedRule::Xg => self.row.xg_forced.unwrap_or_else(derived),
        }
    }

    /// Whether the decision counts, if it is rated.
    fn counts(&self, forced: bool) -> bool {
        match self.kind {
            Some(Kind::Checker) => !forced,
            Some(Kind::Cube(CubeAction::NoDouble)) => {
                self.row.may_double && self.cube().is_some_and(counting::in_window)
            }
            Some(Kind::Cube(_)) => true,
            None => false,
        }
    }

    /// The same in XG's own statistics: its flag on plays, the same window, every double and every answer.
    fn xg_counts(&self) -> Option<bool> {
        (self.setting.statistics == Statistics::Xg).then(|| self.counts(self.row.xg_forced != Some(false)))
    }

    /// An equity difference at the score and cube of the decision, as match winning chances.
    fn price(&self, difference: Equity) -> Option<Mwc> {
        self.factor.and_then(|factor| factor.loss(difference))
    }

    fn difficulty(&self) -> Option<Mwc> {
        difficulty::difficulty(&self.costs(), self.factor?)
    }

    /// What each option costs its decider.
    fn costs(&self) -> Vec<Equity> {
        match (self.kind, self.cube()) {
            (Some(Kind::Checker), _) => self.play_costs(),
            (Some(Kind::Cube(CubeAction::NoDouble | CubeAction::Double)), Some(cube)) => {
                [CubeAction::NoDouble, CubeAction::Double].map(|action| error::of_action(action, cube)).to_vec()
            }
            (Some(Kind::Cube(_)), Some(cube)) => {
                [CubeAction::Take, CubeAction::Pass].map(|action| error::of_action(action, cube)).to_vec()
            }
            _ => Vec::new(),
        }
    }

    /// One cost per distinct play: the notation is canonical, so two spellings of one board are one text.
    fn play_costs(&self) -> Vec<Equity> {
        let Some(best) = self.best().and_then(value) else { return Vec::new() };
        let distinct = self.options.iter().enumerate().filter(|(i, option)| {
            !self.options[..*i].iter().any(|earlier| earlier.play == option.play && earlier.equity.is_some())
        });
        distinct.filter_map(|(_, option)| value(option)).map(|equity| error::of_play(best, equity)).collect()
    }

    fn theme(&self, best: Outlook, played: Outlook) -> Option<Theme> {
        match self.kind? {
            Kind::Cube(action) => theme::of_action(action, self.cube()?),
            Kind::Checker => {
                let contact = self.board.is_none_or(|board| !board.no_contact());
                theme::of_play(best, played, if contact { Contact::Yes } else { Contact::No })
            }
        }
    }

    /// The best play and the play made, as the themes see them; both empty for a cube action.
    fn outlooks(&self) -> [Outlook; 2] {
        let best = self.best();
        let played = self.played();
        let played_text = self.row.play.as_deref().or_else(|| played.map(|option| option.play.as_str()));
        [
            Outlook { structure: self.structure(best.map(|b| b.play.as_str())), chances: best.and_then(chances) },
            Outlook { structure: self.structure(played_text), chances: played.and_then(chances) },
        ]
    }

    fn structure(&self, play: Option<&str>) -> Option<Structure> {
        let after = Play::from_notation(play?).ok()?.apply(&self.board?).ok()?;
        Some(Structure::of(&after))
    }

    /// The candidate ranked first among those with an equity; a higher equity further down was found less deeply.
    fn best(&self) -> Option<&'a CandidateRow> {
        self.options.iter().find(|option| option.equity.is_some())
    }

    fn played(&self) -> Option<&'a CandidateRow> {
        let rank = self.row.played_rank?;
        self.options.iter().find(|option| option.rank == rank)
    }

    fn cube(&self) -> Option<CubeEquities> {
        super::cube_equities(self.row)
    }
}

impl Rating {
    pub(super) fn store(self, row: &mut DecisionRow) {
        let (raw, reason) = match self.error {
            Ok(raw) => (Some(raw), None),
            Err(reason) => (None, Some(reason)),
        };
        row.e_raw = raw.map(Equity::units);
        row.e_mpt = raw.map(|raw| raw.mpt().0);
        row.unrated_reason = reason.map(|reason| reason.token().to_owned());
        row.forced = self.forced;
        row.counted = self.counted;
        row.xg_counted = self.xg_counted;
        row.luck_mwc = self.luck.map(Mwc::units);
        row.loss = self.loss.map(Mwc::units);
        row.xg_loss = self.xg_loss.map(Mwc::units);
        row.difficulty = self.difficulty.map(Mwc::units);
        row.avoidable = self.avoidable;
        row.theme = self.theme.map(|theme| theme.token().to_owned());
        row.blots_played = self.blots_played.map(i64::from);
        row.blots_best = self.blots_best.map(i64::from);
        row.phase = self.board.map_or(UNKNOWN, |board| phase::phase(&board).token()).to_owned();
        row.plan = self.board.map_or(UNKNOWN, |board| plan::plan(&board).token()).to_owned();
        row.contact = self.board.is_some_and(|board| !board.no_contact());
    }
}

/// The price of an equity at the row's score and cube; points matches of at most 64 points have one.
fn factor(row: &DecisionRow) -> Option<Factor> {
    /// Any length of the kind has its token.
    const POINTS: &str = Length::Points(1).token();
    if row.play_kind != POINTS {
        return None;
    }
    let score = Score {
        regime: Regime::from_token(&row.regime)?,
        own_away: u32::try_from(row.own_away).ok()?,
        opponent_away: u32::try_from(row.opp_away).ok()?,
    };
    Met::kazaross_xg2().factor(score, u32::try_from(row.cube).ok()?)
}

/// The error every measure uses: from the mpt on, `e = mpt / 1000`.
const fn equity(mpt: Mpt) -> Equity {
    /// Units of an equity in a thousandth.
    const THOUSANDTH: i64 = crate::game::units::EQUITY_SCALE / 1_000;
    Equity::from_units(mpt.0 * THOUSANDTH)
}

fn value(option: &CandidateRow) -> Option<Equity> {
    option.equity.map(Equity::from_units)
}

fn chances(option: &CandidateRow) -> Option<Chances> {
    let (win, gammon) = option.win.zip(option.win_gammon)?;
    Some(Chances { win: Probability::from_units(win), gammon: Probability::from_units(gammon) })
}
