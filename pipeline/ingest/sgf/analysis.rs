//! `A` and `DA`: what the program thought of a play and of the cube.
//!
//! Evaluations (`E`) and rollouts (`X`, in old files `R`) become candidates and cube equities in EMG. Equities of `A`
//! are EMG already. The cubeful figures of `DA` are match winning chances in match play, always of the player who may
//! double; a [`Scale`] turns them into EMG at the score and cube of the decision, and the stored pair is kept beside.
//! Double/pass is in no file: it is +1 by definition.
//!
//! A candidate must be a play on the board of its node. If one is not, the board (or the list) is not to be trusted and
//! the whole list is refused; numbers that cannot be are absent one by one.

use super::moves;
use super::number::{self, Words};
use crate::game::cube::CubeEquities;
use crate::game::met::Factor;
use crate::game::{Board, Equity, Play, Probability, Seat};
use crate::ingest::record::{Candidate, CubeAnalysis, Depth, Odds};

/// Most candidates the program writes.
const MOST_CANDIDATES: usize = 3_060;
/// Numbers of one cube line: five probabilities, cubeless equity, cubeful value.
const LINE: usize = 7;
/// Cumulative probabilities may break their order by this much (1e-8): outputs of a net, rounded.
const DISORDER: i64 = 10_000;
/// More plies than any computer has searched.
const DEEPEST_PLY: u8 = 99;

/// How a cubeful figure of a cube analysis becomes EMG.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scale {
    /// It is EMG already.
    Money,
    /// Match winning chances, at this score and cube.
    Match(Factor),
    /// Match winning chances that cannot be converted.
    Flat,
}

impl Scale {
    /// A standard error in EMG.
    fn spread(self, error: f64) -> Option<Equity> {
        match self {
            Self::Money => Equity::from_f64(error),
            Self::Match(factor) => Equity::from_f64(error / factor.k()),
            Self::Flat => None,
        }
    }
}

/// Why an analysis is refused.
pub(super) type Refusal = &'static str;

/// The list of `A` after its index, best first. `into` is emptied and filled.
pub(super) fn candidates(
    values: &[&[u8]],
    at: (Seat, &Board),
    scale: Scale,
    into: &mut Vec<Candidate>,
) -> Result<(), Refusal> {
    into.clear();
    if values.len() > MOST_CANDIDATES {
        return Err("more candidates than a roll has plays");
    }
    let (seat, board) = at;
    for value in values {
        let space = value.iter().position(|&byte| byte == b' ').unwrap_or(value.len());
        let (letters, evaluation) = (&value[..space], value.get(space + 1..).unwrap_or_default());
        let made = moves::play(letters, seat).and_then(|play| moves::made(play, board));
        let Some((play, after)) = made else {
            into.clear();
            return Err("a candidate that is no play on its board");
        };
        into.push(candidate(play, after, evaluation, scale));
    }
    Ok(())
}

fn candidate(play: Play, after: Board, text: &[u8], scale: Scale) -> Candidate {
    let mut words = Words::new(text);
    let bare =
        Candidate { play, after, equity: None, odds: None, depth: Depth::Unknown, trials: None, std_error: None };
    if words.pass(b"E ver 3 ") {
        return evaluated(bare, words);
    }
    match words.next() {
        Some(b"E") => {
            skip_version(&mut words);
            evaluated(bare, words)
        }
        Some(b"X" | b"R") => rolled_out(bare, text, scale),
        _ => bare,
    }
}

/// `p0 p1 p2 p3 p4 eq nC ...`; too few numbers make no evaluation.
fn evaluated(bare: Candidate, mut words: Words<'_>) -> Candidate {
    let outputs: [Option<i64>; 5] = std::array::from_fn(|_| words.hundred_millionths());
    let equity = words.hundred_millionths().and_then(number::bounded);
    let Some(depth) = words.next().and_then(plies) else { return bare };
    if equity.is_none() {
        return bare;
    }
    Candidate { equity, odds: odds(outputs), depth, ..bare }
}

/// `X ver 3 Score s1 s2 Trials n Output o0 ... o6 StdDev e0 ... e6 ... RC cubeful ...`.
fn rolled_out(bare: Candidate, text: &[u8], scale: Scale) -> Candidate {
    let after = |keyword| {
        let mut words = Words::new(text);
        words.seek(keyword).then_some(words)
    };
    let equity = after(b"Score").and_then(|mut words| number::equity(words.next()?));
    if equity.is_none() {
        return bare;
    }
    let cubeful = after(b"RC").is_none_or(|mut words| words.next() != Some(b"0"));
    let errors = after(b"StdDev").map(|words| line(words));
    Candidate {
        equity,
        odds: after(b"Output").and_then(|words| odds_of(&line(words))),
        depth: Depth::Rollout,
        trials: after(b"Trials").and_then(|mut words| number::whole(words.next()?)).filter(|&trials| trials > 0),
        std_error: errors.and_then(|errors| standard_error(&errors, cubeful, scale)),
        ..bare
    }
}

/// A cubeful error is in the unit of index 6, a cubeless one (index 5) always in equity.
fn standard_error(errors: &[Option<&[u8]>; LINE], cubeful: bool, scale: Scale) -> Option<Equity> {
    let error = |index: usize| errors[index].and_then(number::real).filter(|&error| error >= 0.0);
    if cubeful { scale.spread(error(6)?) } else { Equity::from_f64(error(5)?) }
}

fn line<'a>(mut words: Words<'a>) -> [Option<&'a [u8]>; LINE] {
    std::array::from_fn(|_| words.next())
}

fn odds_of(line: &[Option<&[u8]>; LINE]) -> Option<Odds> {
    odds(std::array::from_fn(|i| line[i].and_then(number::equity).map(Equity::units)))
}

/// Win, win gammon, win backgammon, lose gammon, lose backgammon in 1e-8, all there and each inside the one before.
fn odds(outputs: [Option<i64>; 5]) -> Option<Odds> {
    let [Some(win), Some(win_gammon), Some(win_backgammon), Some(lose_gammon), Some(lose_backgammon)] =
        outputs.map(|units| units.and_then(number::probability))
    else {
        return None;
    };
    let lose = Probability::from_units(crate::game::units::EQUITY_SCALE - win.units());
    let inside = |part: Probability, whole: Probability| part.units() <= whole.units() + DISORDER;
    let ordered = inside(win_gammon, win)
        && inside(win_backgammon, win_gammon)
        && inside(lose_gammon, lose)
        && inside(lose_backgammon, lose_gammon);
    ordered.then_some(Odds { win, win_gammon, win_backgammon, lose, lose_gammon, lose_backgammon })
}

fn skip_version(words: &mut Words<'_>) {
    let mut ahead = *words;
    if ahead.next() == Some(b"ver") && ahead.next().is_some() {
        *words = ahead;
    }
}

/// `2C` or `2`.
fn plies(word: &[u8]) -> Option<Depth> {
    if let [digit @ b'0'..=b'9', b'C'] = word {
        return Some(Depth::GnuBgPly(digit - b'0'));
    }
    let digits = word.strip_suffix(b"C").unwrap_or(word);
    let plies =
        number::whole(digits).and_then(|plies| u8::try_from(plies).ok()).filter(|&plies| plies <= DEEPEST_PLY)?;
    Some(Depth::GnuBgPly(plies))
}

/// `DA`, seen from the player who may double.
pub(super) fn cube(text: &[u8], scale: Scale) -> Result<CubeAnalysis, Refusal> {
    match Words::new(text).next() {
        Some(b"E") => evaluated_cube(text, scale),
        Some(b"X" | b"R") => rolled_out_cube(text, scale),
        _ => Err("a cube analysis of an unknown kind"),
    }
}

/// Fourteen numbers at the end; what stands before them grew from version to version.
fn evaluated_cube(text: &[u8], scale: Scale) -> Result<CubeAnalysis, Refusal> {
    const TOO_SHORT: Refusal = "a cube analysis of too few numbers";
    let words: Vec<&[u8]> = Words::new(text).take(64).collect();
    let numbers = words.len().checked_sub(2 * LINE).filter(|&head| head > 0).ok_or(TOO_SHORT)?;
    let (head, numbers) = words.split_at(numbers);
    let depth = match head {
        [_, b"ver", _, rest @ ..] => rest.first().copied().and_then(plies),
        [_, rest @ ..] => rest.iter().find(|word| word.ends_with(b"C")).or(rest.first()).copied().and_then(plies),
        [] => None,
    };
    let analysis = from_lines([numbers[LINE - 1], numbers[2 * LINE - 1]], scale)?;
    let odds = odds_of(&std::array::from_fn(|i| numbers.get(i).copied()));
    Ok(CubeAnalysis { odds, depth: depth.unwrap_or(Depth::Unknown), ..analysis })
}

/// `... NoDouble Output ... StdDev ... DoubleTake Output ... StdDev ...`.
fn rolled_out_cube(text: &[u8], scale: Scale) -> Result<CubeAnalysis, Refusal> {
    const INCOMPLETE: Refusal = "a cube rollout that is incomplete";
    let after = |keywords: &[&[u8]]| {
        let mut words = Words::new(text);
        keywords.iter().all(|keyword| words.seek(keyword)).then(|| line(words))
    };
    let no_double = after(&[b"NoDouble", b"Output"]).ok_or(INCOMPLETE)?;
    let double_take = after(&[b"DoubleTake", b"Output"]).ok_or(INCOMPLETE)?;
    let figures = [no_double[LINE - 1].ok_or(INCOMPLETE)?, double_take[LINE - 1].ok_or(INCOMPLETE)?];
    let analysis = from_lines(figures, scale)?;
    let doubling = analysis.equities.doubled() > analysis.equities.nd;
    let better: &[u8] = if doubling { b"DoubleTake" } else { b"NoDouble" };
    let errors = after(&[better, b"StdDev"]);
    let trials = after(&[b"Trials"]).and_then(|line| line[0]).and_then(number::whole).filter(|&trials| trials > 0);
    Ok(CubeAnalysis {
        odds: odds_of(&no_double),
        depth: Depth::Rollout,
        trials,
        std_error: errors.and_then(|errors| standard_error(&errors, true, scale)),
        ..analysis
    })
}

/// The two cubeful figures, no double and double/take, as equities.
fn from_lines(figures: [&[u8]; 2], scale: Scale) -> Result<CubeAnalysis, Refusal> {
    const NO_NUMBER: Refusal = "a cube equity that is no number";
    let (equities, mwc) = match scale {
        Scale::Money => (figures.map(number::equity), None),
        Scale::Match(factor) => {
            let [Some(nd), Some(dt)] = figures.map(number::mwc) else {
                return Err("match winning chances outside 0 to 1");
            };
            ([nd, dt].map(|mwc| Equity::from_f64(factor.to_emg(mwc.to_f64()))), Some([nd, dt]))
        }
        Scale::Flat => return Err("a cube analysis at a score without match equities"),
    };
    let [Some(nd), Some(dt)] = equities else { return Err(NO_NUMBER) };
    Ok(CubeAnalysis {
        equities: CubeEquities { nd, dt, dp: Equity::ONE },
        mwc,
        odds: None,
        depth: Depth::Unknown,
        trials: None,
        std_error: None,
        stored_errors: [None, None],
    })
}
