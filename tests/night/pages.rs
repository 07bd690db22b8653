//! The pages of the season that ships, as a browser, a printer and a reader with a pencil take them.

use super::{Place, evened, sample, tool};
use crate::support::html::{self, Document};
use portes::report::{page_name_match, page_name_player};
use portes::tables::academy::{
    AcademyAdviceRow, AcademyContestRow, AcademyPatternRow, AcademyPlayerRow, AcademyTreeRow,
};
use portes::tables::facts::{AnalysisRow, DecisionRow, MatchRow};
use portes::tables::marts::{PlayerMatchRow, PlayerSeasonRow};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Rendered once for all tests of this file; none of them writes into it.
static SAMPLE: LazyLock<Place> = LazyLock::new(sample);
const SEASONS: [&str; 2] = ["2025", "2026"];

fn text(season: &str, name: &str) -> String {
    evened(&html::read(&SAMPLE.page(season, name)).text)
}

#[test]
fn every_page_keeps_the_rules_and_every_link_arrives() {
    for season in SEASONS {
        let names: BTreeSet<String> = SAMPLE.pages(season, "").into_iter().collect();
        let pages: BTreeMap<&str, String> =
            names.iter().map(|name| (name.as_str(), SAMPLE.page(season, name))).collect();
        for (name, page) in &pages {
            let faults = html::faults(page, &names);
            assert!(faults.is_empty(), "{season}/{name}: {:#?}", &faults[..faults.len().min(5)]);
        }
        let read: BTreeMap<&str, Document> = pages.iter().map(|(name, page)| (*name, html::read(page))).collect();
        let mut linked: BTreeSet<&str> = BTreeSet::new();
        for (name, page) in &read {
            for href in page.tags.iter().filter(|tag| tag.name == "a").filter_map(|tag| tag.attributes.get("href")) {
                let (to, anchor) = href.split_once('#').unwrap_or((href, ""));
                let (to, target) = read.get_key_value(if to.is_empty() { *name } else { to }).unwrap();
                let there = |tag: &html::Tag| tag.attributes.get("id").is_some_and(|id| id == anchor);
                assert!(anchor.is_empty() || target.tags.iter().any(there), "{season}/{name}: {href}");
                linked.insert(to);
            }
        }
        let alone: Vec<&&str> = read.keys().filter(|name| !linked.contains(*name)).collect();
        assert!(alone.is_empty(), "no page leads to {alone:?}");
    }
}

#[test]
fn the_contents_of_a_long_page_are_its_sections_in_their_order() {
    let players = SAMPLE.pages("2026", "player-");
    assert!(players.len() > 5);
    for name in players.iter().map(String::as_str).chain(["index.html"]) {
        let page = SAMPLE.page("2026", name);
        let (contents, rest) = page.split_once("aria-label=\"On this page\">").unwrap().1.split_once("</nav>").unwrap();
        let links: Vec<(&str, &str)> = contents
            .split("<a href=\"#")
            .skip(1)
            .map(|link| link.split_once("</a>").unwrap().0.split_once("\">").unwrap())
            .collect();
        let headings: Vec<(&str, &str)> = rest
            .split("<h2 ")
            .skip(1)
            .map(|heading| {
                heading.split_once("</h2>").unwrap().0.strip_prefix("id=\"").unwrap().split_once("-h\">").unwrap()
            })
            .collect();
        assert!(headings.len() > 5, "{name}");
        assert_eq!(links, headings, "{name}");
    }
}

/// Half away from zero, as the views ask (`product-views.md` 2); a figure of a page is never negative here.
fn two_decimals(pr: f64) -> String {
    format!("{:.2}", (pr * 100.0 + 0.5 + 1e-7).floor() / 100.0)
}

#[test]
fn figures_on_pages_are_those_of_the_marts() {
    let seasons = SAMPLE.rows::<PlayerSeasonRow>();
    let mut met = 0;
    for row in seasons.iter().filter(|row| row.player.is_some()) {
        let (player, pr) = (row.player.as_deref().unwrap(), two_decimals(row.pr.unwrap()));
        let record = format!("{}\u{2013}{}", row.wins.unwrap(), row.losses.unwrap());
        let line = format!("{player} {} {record} {} {pr}", row.matches, row.decisions);
        let index = text(&row.season, "index.html");
        assert!(index.contains(&line), "{line:?} is not in the season's table:\n{index}");
        let [low, high] = [row.pr_low, row.pr_high].map(|end| two_decimals(end.unwrap()));
        let interval = format!("All decisions {} {pr} [{low}\u{2013}{high}]", row.decisions);
        let page = text(&row.season, &page_name_player(player));
        assert!(page.contains(&interval), "{player}: {interval:?} is not on the page");
        met += 1;
    }
    assert_eq!(met, 16);

    let figures = SAMPLE.rows::<PlayerMatchRow>();
    let mut met = 0;
    for played in SAMPLE.rows::<MatchRow>() {
        let page = text(&played.season, &page_name_match(&played.match_id, [&played.player_1, &played.player_2]));
        let rows = figures.iter().filter(|row| row.match_id == played.match_id && row.player.is_some());
        for row in rows.filter(|row| row.decisions > 0) {
            let line =
                format!("{} {} {}", row.player.as_deref().unwrap(), row.decisions, two_decimals(row.pr.unwrap()));
            assert!(page.contains(&line), "{}: {line:?} is not on the page", played.match_id);
            met += 1;
        }
        let scores = [&played.player_1, &played.player_2].into_iter().zip([played.score_1, played.score_2]);
        let most = played.length.unwrap_or(i64::MAX);
        for (player, score) in scores.map(|(player, score)| (player, score.min(most))) {
            assert!(page.contains(&format!("{player} {score}")), "{}: {player} {score}", played.match_id);
        }
    }
    assert!(met > 80, "{met} lines");
}

/// The number before these words; none where they are not on the page.
fn before(page: &str, words: &str) -> Option<i64> {
    let word = page[..page.find(words)?].split_whitespace().last()?;
    let small = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let spelled = small.iter().position(|name| name.eq_ignore_ascii_case(word));
    Some(spelled.map_or_else(|| word.replace('\u{2009}', "").parse().unwrap(), |n| n as i64))
}

#[test]
fn what_the_depths_of_a_match_count_and_what_they_do_not_add_up_to_its_rated_decisions() {
    let analyses = SAMPLE.rows::<AnalysisRow>();
    let mut beside = 0;
    for played in SAMPLE.rows::<MatchRow>() {
        let Some(primary) = analyses.iter().find(|row| row.primary && row.match_id == played.match_id) else {
            continue;
        };
        let Some(depths) = &primary.depths else { continue };
        let counts = depths.split("; ").map(|mix| mix.rsplit_once(": ").unwrap().1.parse::<i64>().unwrap());
        let page = text(&played.season, &page_name_match(&played.match_id, [&played.player_1, &played.player_2]));
        let others = ["forced plays are rated beside these", "forced play is rated beside these"];
        let more = others.iter().find_map(|words| before(&page, words)).unwrap_or(0);
        assert_eq!(counts.sum::<i64>() + more, primary.rated, "{}", played.match_id);
        beside += more;
    }
    assert!(beside > 100, "{beside}");
}

#[test]
fn the_page_of_the_academy_shows_its_tables() {
    for season in SEASONS {
        let of = |of: &str| of == season;
        let page = text(season, "academy.html");
        let contests: Vec<AcademyContestRow> =
            SAMPLE.rows().into_iter().filter(|row: &AcademyContestRow| of(&row.season)).collect();
        let filed: Vec<&AcademyContestRow> = contests.iter().filter(|row| row.status == "filed").collect();
        let patterns = SAMPLE.rows::<AcademyPatternRow>().into_iter().filter(|row| of(&row.season)).count();
        let nodes = SAMPLE.rows::<AcademyTreeRow>().into_iter().filter(|row| of(&row.season) && row.depth > 0).count();
        assert_eq!(nodes, 1000, "full");
        let knows = format!(
            "{} games taught the club something: it now knows {nodes} opening positions, the most it keeps (deep and poor \
             lines gave way), and {patterns} patterns",
            filed.len()
        );
        assert!(page.contains(&knows), "{knows:?} is not on the page:\n{page}");
        let mut met = 0;
        for row in SAMPLE.rows::<AcademyPlayerRow>().into_iter().filter(|row| of(&row.season)) {
            let games = filed.iter().filter(|game| [&game.first, &game.second].contains(&&row.player)).count();
            let line = format!("{} {games} {:.0}", row.player, (row.rating.unwrap() + 1e-7).round());
            assert_eq!(page.contains(&line), games > 0, "{line:?}");
            met += usize::from(games > 0);
        }
        assert_eq!(met, 8);
        // What all opening advice would have saved, summed here from the table.
        let advice = SAMPLE.rows::<AcademyAdviceRow>().into_iter();
        let judged = advice.filter(|row| of(&row.season) && row.phase == "opening");
        let costs: Vec<(i64, i64)> = judged.filter_map(|row| row.cost_proposed.zip(row.cost_played)).collect();
        let [proposed, played] = [costs.iter().map(|c| c.0).sum::<i64>(), costs.iter().map(|c| c.1).sum::<i64>()];
        let sums = [played - proposed, proposed, played].map(|sum| two_decimals(sum as f64 / 1e9)).join(" ");
        let row = page.split_once(&format!("Opening would have saved {sums} ")).map(|(_, rest)| &rest[..40]);
        assert!(row.is_some_and(|row| row.contains(&format!(" {} Middle", costs.len()))), "{sums}: {row:?}\n{page}");
        assert!(!page.contains("Middle game: where it would have saved"), "the middle game's advice is a loss");
        // Most of the book's plays are found again in the season's decisions.
        let told = html::read(&SAMPLE.page(season, "academy.html")).text;
        assert!(told.matches("0.0").count() > 20, "mean costs stand beside the plays");
    }
}

/// Chromium over one page: what it printed, and what it complained about in its console.
fn browse(chromium: &Path, page: &Path, arguments: &[&str]) -> (String, Vec<String>) {
    let profile = tempfile::tempdir().unwrap();
    let mut command = Command::new(chromium);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--no-first-run"]);
    command.arg(format!("--user-data-dir={}", profile.path().display())).args(arguments);
    let output = command.arg(format!("file://{}", page.display())).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let log = String::from_utf8_lossy(&output.stderr);
    let console = log.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
    (String::from_utf8_lossy(&output.stdout).into_owned(), console)
}

/// The season's first page, the Academy's, its main player's and a match of his.
fn some_pages() -> [PathBuf; 4] {
    let folder = SAMPLE.reports().join("2026").canonicalize().unwrap();
    let player = page_name_player("Bramblewick");
    let played = SAMPLE.pages("2026", "match-bramblewick-")[0].clone();
    ["index.html", "academy.html", &player, &played].map(|name| folder.join(name))
}

#[test]
fn a_browser_has_nothing_to_complain_about_and_nothing_to_scroll_sideways() {
    let Some(chromium) = tool("chromium") else { return };
    // The ear first: a page that breaks its policy is heard, one that is too wide is seen.
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.html");
    let policy = "<!doctype html><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">";
    std::fs::write(&broken, format!("{policy}<script>1</script>")).unwrap();
    assert_eq!(browse(&chromium, &broken, &["--dump-dom"]).1.len(), 1);
    std::fs::write(&broken, "<body><div style=\"width:3000px\">wide</div></body>").unwrap();
    assert_eq!(overflow(&chromium, &broken, 1200).1, 3008, "the margin of a body is 8");

    for page in some_pages() {
        for width in [390, 1200] {
            let (dom, console) = browse(&chromium, &page, &["--dump-dom", &format!("--window-size={width},900")]);
            assert!(dom.contains("</footer>") && console.is_empty(), "{} at {width}: {console:?}", page.display());
        }
        let (window, needed) = overflow(&chromium, &page, 390);
        assert!(needed <= window, "{}: {needed} of {window} px", page.display());
    }
}

/// The width of the window and of the page in it, measured by a copy of the page that may run a script.
fn overflow(chromium: &Path, page: &Path, width: u32) -> (u32, u32) {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("measured.html");
    let html = std::fs::read_to_string(page).unwrap();
    let measure = "<script>document.title = innerWidth + ' ' + document.documentElement.scrollWidth</script></body>";
    let html = html.replace("Content-Security-Policy", "x-none").replace("</body>", measure);
    std::fs::write(&copy, html).unwrap();
    let (dom, _) = browse(chromium, &copy, &["--dump-dom", &format!("--window-size={width},900")]);
    let title = dom.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0;
    let (window, needed) = title.split_once(' ').unwrap();
    (window.parse().unwrap(), needed.parse().unwrap())
}

#[test]
fn what_is_folded_on_the_screen_is_printed() {
    let (Some(chromium), Some(pdftotext)) = (tool("chromium"), tool("pdftotext")) else { return };
    let [.., page] = some_pages();
    let folder = tempfile::tempdir().unwrap();
    let pdf = folder.path().join("match.pdf");
    browse(&chromium, &page, &["--no-pdf-header-footer", &format!("--print-to-pdf={}", pdf.display())]);
    let output = Command::new(pdftotext).arg("-layout").arg(&pdf).arg("-").output().unwrap();
    let printed = evened(&String::from_utf8(output.stdout).unwrap());

    let matches = SAMPLE.rows::<MatchRow>();
    let name = page.file_name().unwrap().to_str().unwrap();
    let of = |row: &&MatchRow| page_name_match(&row.match_id, [&row.player_1, &row.player_2]) == name;
    let played = matches.iter().find(of).unwrap();
    let source = SAMPLE.page("2026", name);
    assert!(source.contains("<details class=\"fold game\"") && !source.contains("<details open"), "games are folded");
    // Every play of every game: number, player, roll and play as in the folded tables.
    let plays = SAMPLE.rows::<DecisionRow>().into_iter();
    let plays = plays.filter(|row| row.match_id == played.match_id && row.kind == "checker");
    let mut missing = Vec::new();
    let mut found = 0;
    for row in plays {
        let who = if row.seat == 1 { &played.player_1 } else { &played.player_2 };
        let (dice, play) = (row.dice.unwrap(), row.play.as_deref().unwrap());
        let line =
            format!("{} {who} {}-{} {}", row.order, dice / 10, dice % 10, if play == "dance" { "" } else { play });
        if printed.contains(line.trim_end()) {
            found += 1;
        } else {
            missing.push(line);
        }
    }
    assert!(found > 40 && missing.is_empty(), "{found} found, missing: {missing:?}");
}
