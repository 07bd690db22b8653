//! How fast the Academy files: 100,000 made-up contests with full libraries of the default sizes, on one thread.
//!
//! `cargo bench --bench academy -- 20000` files so many instead. Prints what was asked beside what was met; asserts no
//! time. Making the contests is not counted.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, unreachable_pub, dead_code)]
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

#[path = "../support/contests.rs"]
mod contests;

use contests::Season;
use portes::academy::Academy;
use portes::academy::rows::{FilingEvent, Shelving};
use portes::academy::settings::Settings;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Contests filed, unless another number is given.
const CONTESTS: usize = 100_000;
/// What is asked for that many.
const ASKED: Duration = Duration::from_secs(180);
/// Contests made before the clock runs.
const BATCH: usize = 1_000;
const PLAYERS: u64 = 300;

fn main() {
    let asked = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let contests: usize = asked.unwrap_or(CONTESTS);
    let mut season = Season::new(7, PLAYERS);
    let mut academy = Academy::new(Settings::default().bylaws().unwrap(), season.seeds());
    let (mut filing, mut on_cpu, mut advice, mut plies) = (Duration::ZERO, Duration::ZERO, 0, 0);
    let mut events: BTreeMap<String, usize> = BTreeMap::new();
    let mut done = 0;
    while done < contests {
        let batch: Vec<_> = (0..BATCH.min(contests - done)).map(|_| season.contest()).collect();
        done += batch.len();
        let (before, cpu_before) = (Instant::now(), cpu());
        for (contest, finished) in &batch {
            let report = academy.file(contest);
            if let Some(finished) = finished {
                academy.finish(finished);
            }
            advice += report.advice.len();
            plies += contest.plies.len();
            for row in &report.filings {
                let step = match row.event {
                    FilingEvent::Filed { step, .. } => format!("{:?} {step:?}", row.library),
                    FilingEvent::Evicted { .. } => format!("{:?} evicted", row.library),
                };
                *events.entry(step).or_default() += 1;
            }
        }
        filing += before.elapsed();
        on_cpu += cpu().saturating_sub(cpu_before);
    }
    let size = |which| academy.library("quarters", which).map_or(0, |library| library.len());
    let nodes = academy.tree("quarters").map_or(0, portes::academy::tree::Tree::len);
    println!("{contests} contests, {plies} plies, {advice} advices");
    println!("libraries: {nodes} nodes, Chuban {}, Yose {}", size(Shelving::Chuban), size(Shelving::Yose));
    for (event, times) in events {
        println!("  {event}: {times}");
    }
    println!("{:.1} s by the clock, {:.1} s on the processor", filing.as_secs_f64(), on_cpu.as_secs_f64());
    // On a machine that others use too the clock says more about them.
    let spent = if on_cpu.is_zero() { filing } else { on_cpu };
    let rate = contests as f64 / spent.as_secs_f64();
    println!("{rate:.0} contests/s; asked: {CONTESTS} in {} s, met: {:.1} s", ASKED.as_secs(), CONTESTS as f64 / rate);
    let before = Instant::now();
    let bytes = serde_json::to_vec(&academy.save()).unwrap();
    println!("state: {} bytes as JSON, saved in {:.2} s", bytes.len(), before.elapsed().as_secs_f64());
}

/// Time this thread has had a processor for; zero where the system does not say.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(stat.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok()).unwrap_or(0))
}
