//! Pages: one file each, no request, no script, strangers' text as text, every link inside the season, sizes, contrast.

mod academy;
mod colours;
mod fixture;
mod study;
mod tournament;

use crate::support::html;
use crate::support::rows::{Played, Season, Studied, Wish, blank, colophon, play, reviews, season_row, seats, sources};
use portes::report::{
    MatchInput, MatchPages, Page, PlayerAcademy, PlayerInput, QualityInput, SeasonInput, Templates, TournamentInput,
    match_page, page_name_match, player_page, quality_pages, season_pages, tournament_page,
};
use portes::tables::facts::{CommentRow, MatchRow, SourceRow};
use portes::tables::marts::{PlayerMatchRow, SeatRow};
use portes::tables::study_marts::{MatchReviewRow, TournamentReviewRow};
use std::collections::{BTreeMap, BTreeSet};

fn templates() -> Templates {
    Templates::load(None).unwrap()
}

fn input<'a>(of: &'a Played, review: &'a [MatchReviewRow], colophon: &'a portes::report::Colophon) -> MatchInput<'a> {
    MatchInput {
        played: &of.row,
        games: &of.games,
        figures: &of.figures,
        decisions: &of.decisions,
        candidates: &of.candidates,
        analyses: &of.analyses,
        comments: &of.comments,
        review,
        main_player: Some("Bramblewick"),
        colophon,
    }
}

fn the_match(of: &Played) -> Page {
    match_page(&templates(), &input(of, &reviews(&of.decisions), &colophon())).unwrap()
}

/// Every page of a season.
fn pages(season: &Season, sources: &[SourceRow]) -> Vec<Page> {
    let (templates, colophon) = (templates(), colophon());
    let (figures, matches, players) = (seats(&season.figures()), season.rows(), season.players());
    let tournaments = season.tournaments();
    let (standings, places) = season.standings();
    let input = SeasonInput {
        news: &portes::report::News::default(),
        season: "2026",
        players: &players,
        matches: &matches,
        figures: &figures,
        sources,
        tournaments: &tournaments,
        standings: &standings,
        places: &places,
        academy: false,
        colophon: &colophon,
        pages: MatchPages::All,
    };
    let mut pages = season_pages(&templates, &input).unwrap();
    pages.extend(quality_pages(&templates, &QualityInput { season: "2026", sources, colophon: &colophon }).unwrap());
    for row in players.iter().filter(|row| row.player.is_some()) {
        let mine: Vec<&SeatRow> = figures.iter().filter(|f| f.player == row.player).collect();
        let his: Vec<&MatchRow> =
            matches.iter().filter(|m| [&m.player_1, &m.player_2].contains(&row.player.as_ref().unwrap())).collect();
        let studied = Studied::of(season, row.player.as_ref().unwrap());
        let input = PlayerInput {
            news: &portes::report::News::default(),
            season: row,
            figures: &mine,
            matches: &his,
            study: studied.view(),
            academy: PlayerAcademy::default(),
            colophon: &colophon,
            pages: MatchPages::All,
        };
        pages.push(player_page(&templates, &input).unwrap());
    }
    let events: BTreeSet<&str> = tournaments.iter().map(|row| row.event.as_str()).collect();
    for event in events {
        pages.push(the_tournament(season, event));
    }
    pages.extend(season.matches.iter().map(the_match));
    pages
}

/// The page of an event, with the study plan of its reference player over it.
fn the_tournament(season: &Season, event: &str) -> Page {
    let reviews: Vec<TournamentReviewRow> = season.tournaments().into_iter().filter(|row| row.event == event).collect();
    let matches: Vec<MatchRow> = season.rows().into_iter().filter(|row| row.event.as_deref() == Some(event)).collect();
    let figures: Vec<PlayerMatchRow> =
        season.figures().into_iter().filter(|row| matches.iter().any(|of| of.match_id == row.match_id)).collect();
    let (families, totals) =
        Studied::of_event(season, event, &reviews.iter().find(|row| row.reference).unwrap().player);
    let places: Vec<_> = season.standings().1.into_iter().filter(|row| row.event == event).collect();
    let figures = seats(&figures);
    let input = TournamentInput {
        season: "2026",
        event,
        reviews: &reviews,
        matches: &matches.iter().collect::<Vec<_>>(),
        figures: &figures.iter().collect::<Vec<_>>(),
        families: &families,
        totals: Some(&totals),
        places: &places,
        colophon: &colophon(),
        pages: MatchPages::All,
    };
    tournament_page(&templates(), &input).unwrap()
}

fn check(pages: &[Page]) {
    let known: BTreeSet<String> = pages.iter().map(|page| page.path.clone()).collect();
    assert_eq!(known.len(), pages.len(), "two pages of one name");
    for page in pages {
        let faults = html::faults(&page.html, &known);
        assert!(faults.is_empty(), "{}: {:#?}", page.path, &faults[..faults.len().min(10)]);
    }
}

#[test]
fn every_page_of_a_season_keeps_the_rules_and_links_only_inside_it() {
    let season = Season::new();
    let pages = pages(&season, &sources());
    // To look at them: PORTES_PAGES=folder cargo test ... pages.
    if let Some(folder) = std::env::var_os("PORTES_PAGES") {
        let folder = std::path::PathBuf::from(folder);
        std::fs::create_dir_all(&folder).unwrap();
        for page in &pages {
            std::fs::write(folder.join(&page.path), &page.html).unwrap();
        }
    }
    check(&pages);
    let boards = |kind: &str| {
        let of_kind = pages.iter().filter(|page| page.path.starts_with(kind));
        of_kind.map(|page| page.html.matches("<svg class=\"board\"").count()).sum::<usize>()
    };
    assert!(boards("match-") > 300 && boards("player-") > 60, "{} and {}", boards("match-"), boards("player-"));
    for page in &pages {
        let decisions =
            season.matches.iter().find(|m| page.path.contains(&m.row.match_id[..12])).map_or(0, |m| m.decisions.len());
        let limit = match page.path.split(['-', '.']).next().unwrap() {
            "match" => 120_000 + 600 * decisions,
            "player" => 300_000,
            "tournament" => 1_000_000,
            _ => 150_000,
        };
        assert!(page.html.len() <= limit, "{}: {} of {limit} bytes", page.path, page.html.len());
    }
}

/// Text of a page with its spaces evened out.
fn text(page: &Page) -> String {
    html::read(&page.html).text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn says(page: &Page, expected: &str) {
    let text = text(page);
    let expected = expected.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(&expected), "{} does not say {expected:?}:\n{text}", page.path);
}

fn index(season: &Season) -> Page {
    pages(season, &sources()).into_iter().next().unwrap()
}

const HOSTILE: [&str; 6] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "{{7*7}}{% raw %}",
    "evil\u{202e}cod.exe\u{2066}",
    "</title></style></svg>&lt;b&gt;",
    "line\none\r\ntwo\u{0}\u{1b}[31m",
];

/// One match in which every text a file can bring is hostile.
fn hostile(name: &str) -> Played {
    let mut of = play(&Wish { xg: true, ..Wish::new([name, "Aldergrove"], 9) });
    for text in [&mut of.row.event, &mut of.row.round, &mut of.row.place, &mut of.row.rating_1] {
        *text = Some(name.to_owned());
    }
    of.row.variant = name.to_owned();
    of.analyses[0].engine = name.to_owned();
    of.analyses[0].depths = Some(name.to_owned());
    of.comments = vec![
        CommentRow { index: 0, game: Some(1), order: Some(2), text: name.to_owned(), ..blank() },
        CommentRow { index: 1, text: name.repeat(20), ..blank() },
    ];
    // Columns that only our own readers write are no less untrusted to a page.
    for row in of.decisions.iter_mut().take(40) {
        for text in [&mut row.play, &mut row.best, &mut row.theme, &mut row.depth_best, &mut row.unrated_reason] {
            *text = Some(name.to_owned());
        }
        (row.plan, row.phase, row.position_key) = (name.to_owned(), name.to_owned(), name.to_owned());
    }
    of.games[0].ending = Some(name.to_owned());
    of
}

#[test]
fn hostile_names_are_text_and_nothing_else() {
    for name in HOSTILE {
        let season = Season { matches: vec![hostile(name)] };
        let mut files = sources();
        files[3].path = format!("2026/{name}.xg");
        files[3].detail = Some(name.to_owned());
        files[3].reason = Some(name.to_owned());
        let pages = pages(&season, &files);
        check(&pages);
        let shown: String = name.chars().map(|c| if c == '\n' || c == '\r' { ' ' } else { c }).collect();
        let shown: String = shown
            .chars()
            .map(|c| if c.is_control() || ('\u{202a}'..='\u{2069}').contains(&c) { '\u{fffd}' } else { c })
            .collect();
        for page in pages.iter().filter(|page| !page.path.contains("player-aldergrove")) {
            says(page, &shown);
            assert!(!page.html.contains("<script") && !page.html.contains("<img"), "{}", page.path);
            assert!(!page.html.contains(['\u{202e}', '\u{2066}', '\u{0}', '\u{1b}']), "{}", page.path);
            assert!(page.path.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.')), "{}", page.path);
        }
    }
}

#[test]
fn a_name_of_ten_kilobytes_does_not_burst_a_page() {
    let name = "<&\"' ".repeat(2_000);
    let season = Season { matches: vec![hostile(&name)] };
    let mut files = sources();
    files[3].path = name.clone();
    let pages = pages(&season, &files);
    check(&pages);
    for page in &pages {
        assert!(page.html.len() < 420_000, "{}: {} bytes", page.path, page.html.len());
        assert!(page.path.len() < 120, "{}", page.path);
    }
}

#[test]
fn the_order_of_the_rows_does_not_change_a_byte() {
    let season = Season::new();
    let mut turned = Season::new();
    turned.matches.reverse();
    for of in &mut turned.matches {
        of.games.reverse();
        of.decisions.reverse();
        of.candidates.reverse();
        of.figures.reverse();
        of.comments.reverse();
    }
    let mut files = sources();
    files.reverse();
    let by_path = |pages: Vec<Page>| pages.into_iter().map(|page| (page.path, page.html)).collect::<BTreeMap<_, _>>();
    let (one, two) = (by_path(pages(&season, &sources())), by_path(pages(&turned, &files)));
    assert_eq!(one.keys().collect::<Vec<_>>(), two.keys().collect::<Vec<_>>());
    for (path, html) in &one {
        assert!(*html == two[path], "{path}");
    }
}

#[test]
fn players_stand_by_pr_then_decisions_then_name_and_those_without_a_decision_last() {
    let row = |name: &str, pr: Option<f64>, decisions| portes::tables::marts::PlayerSeasonRow {
        season: "2026".into(),
        player: Some(name.into()),
        pr,
        decisions,
        ..blank()
    };
    let players = [
        row("Nobody", None, 0),
        row("Cc", Some(5.0), 10),
        row("Bb", Some(5.0), 10),
        row("Aa", Some(5.0), 30),
        row("Dd", Some(4.999), 2),
    ];
    let input = SeasonInput {
        news: &portes::report::News::default(),
        season: "2026",
        players: &players,
        matches: &[],
        figures: &[],
        sources: &[],
        tournaments: &[],
        standings: &[],
        places: &[],
        academy: false,
        colophon: &colophon(),
        pages: MatchPages::All,
    };
    let page = season_pages(&templates(), &input).unwrap().remove(0);
    let order: Vec<usize> =
        ["Dd", "Aa", "Bb", "Cc", "Nobody"].iter().map(|name| page.html.find(&format!(">{name}<")).unwrap()).collect();
    assert!(order.is_sorted(), "{order:?}");
    says(&page, "No match of this season is in the tables.");
}

#[test]
fn what_is_missing_says_why() {
    let money = the_match(&play(&Wish { length: 0, ..Wish::new(["Foxglove", "Gristmill"], 3) }));
    says(&money, "Money play has no match equity: MWC figures are absent.");
    says(&money, "No luck-adjusted result: no match equity in money play.");
    let bare = the_match(&play(&Wish { analysed: false, ..Wish::new(["Foxglove", "Gristmill"], 4) }));
    says(&bare, "The file holds no analysis of this match, so nothing is rated.");
    says(&bare, "luck is not recorded in the file");
    says(&bare, "not analysed");
    let open = the_match(&play(&Wish { finished: false, ..Wish::new(["Foxglove", "Gristmill"], 6) }));
    says(&open, "The match is unfinished.");
    says(&open, "The file carries no thinking time.");
    let undated = Season { matches: vec![play(&Wish { date: None, ..Wish::new(["Foxglove", "Gristmill"], 7) })] };
    let pages = pages(&undated, &[]);
    check(&pages);
    let player = pages.iter().find(|page| page.path.starts_with("player-foxglove")).unwrap();
    says(player, "No match is dated: time charts left out.");
    says(player, "under 3 matches");
    says(&pages[0], "No file was found.");
}

#[test]
fn a_match_of_xg_shows_where_the_two_counts_part() {
    let mut of = play(&Wish { xg: true, ..Wish::new(["Foxglove", "Gristmill"], 11) });
    says(&the_match(&of), "Both counts agree on every decision.");
    let forced = of.decisions.iter_mut().find(|row| row.kind == "checker" && row.counted).unwrap();
    (forced.xg_counted, forced.xg_forced) = (Some(false), Some(true));
    let order = forced.order;
    let page = the_match(&of);
    says(&page, "The two counts differ on one decision.");
    says(&page, "counted not counted: XG\u{2019}s flag");
    assert!(page.html.contains(&format!("href=\"#d{order:04}\"")));
    of.figures.iter_mut().for_each(|row| row.xg_decisions = None);
    assert!(!the_match(&of).html.contains("Check my count"));
}

#[test]
fn long_lists_get_pages_of_their_own_and_the_index_says_so() {
    let one = play(&Wish::new(["Foxglove", "Gristmill"], 12)).row;
    let matches: Vec<MatchRow> = (0..1_203)
        .map(|n| MatchRow { match_id: format!("{n:016x}"), round: Some(format!("Round {n}")), ..one.clone() })
        .collect();
    let with_page: BTreeSet<String> = [matches[7].match_id.clone()].into();
    let colophon = colophon();
    let input = SeasonInput {
        news: &portes::report::News::default(),
        season: "2026",
        players: &[],
        matches: &matches,
        figures: &[],
        sources: &[],
        tournaments: &[],
        standings: &[],
        places: &[],
        academy: false,
        colophon: &colophon,
        pages: MatchPages::Only(&with_page),
    };
    let pages = season_pages(&templates(), &input).unwrap();
    let names: Vec<&str> = pages.iter().map(|page| page.path.as_str()).collect();
    assert_eq!(names, ["index.html", "matches-1.html", "matches-2.html", "matches-3.html"]);
    says(&pages[0], "1203 matches. The latest 100 are here. 1 with a page of their own are linked.");
    let rows: usize = pages[1..].iter().map(|page| page.html.matches("<th scope=\"row\"").count()).sum();
    assert_eq!(rows, 1_203);
    let mut known: BTreeSet<String> = pages.iter().map(|page| page.path.clone()).collect();
    known.insert("quality.html".to_owned());
    known.insert(page_name_match(&matches[7].match_id, ["Foxglove", "Gristmill"]));
    for page in &pages {
        assert_eq!(html::faults(&page.html, &known), Vec::<String>::new(), "{}", page.path);
        assert!(page.html.len() < 300_000);
    }
    let files: Vec<SourceRow> = (0..1_001)
        .map(|n| SourceRow { path: format!("2026/{n}.xg"), status: "quarantined".into(), ..blank() })
        .collect();
    let pages =
        quality_pages(&templates(), &QualityInput { season: "2026", sources: &files, colophon: &colophon }).unwrap();
    assert_eq!(
        pages.iter().map(|page| page.path.as_str()).collect::<Vec<_>>(),
        ["quality.html", "quality-2.html", "quality-3.html"]
    );
}

#[test]
fn a_folder_overrides_single_templates_and_a_mistake_in_one_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let season = Season { matches: vec![play(&Wish::new(["Foxglove", "Gristmill"], 13))] };
    let colophon = colophon();
    let of = input(&season.matches[0], &[], &colophon);
    std::fs::write(folder.path().join("match.html"), "{{ head.heading }} & {{ names[0] }}<b>").unwrap();
    let ours = templates();
    let theirs = Templates::load(Some(folder.path())).unwrap();
    assert_ne!(ours.digest(), theirs.digest());
    assert!(match_page(&theirs, &of).unwrap().html.ends_with("& Foxglove<b>"));
    std::fs::write(folder.path().join("match.html"), "\n{{ head.haeding }}").unwrap();
    let fault = match_page(&Templates::load(Some(folder.path())).unwrap(), &of).unwrap_err().to_string();
    assert!(fault.starts_with("template match.html") && fault.contains(":2"), "{fault}");
    std::fs::write(folder.path().join("match.html"), "{% if %}").unwrap();
    assert!(Templates::load(Some(folder.path())).unwrap_err().to_string().starts_with("template match.html"));
}

#[test]
fn every_file_that_is_not_ok_is_listed_with_reason_offset_and_detail() {
    let colophon = colophon();
    let page = quality_pages(&templates(), &QualityInput { season: "2026", sources: &sources(), colophon: &colophon })
        .unwrap()
        .remove(0);
    says(&page, "Of seven files, two were rejected and one is damaged in part.");
    says(
        &page,
        "2026/lantern/cut.xg quarantined truncated 20\u{202f}474 the archive ends inside a record xg 48\u{202f}211",
    );
    says(&page, "2026/lantern/photo.xg quarantined magic 0 not an XG file: JPEG");
    assert!(!text(&page).contains("2026/lantern/b.xg"));
}

#[test]
fn the_footer_names_its_inputs_and_no_time() {
    let page = index(&Season { matches: vec![play(&Wish::new(["Foxglove", "Gristmill"], 14))] });
    says(&page, "57 source files \u{b7} inputs e921e9a5089b \u{b7} data to 2026-11-21 \u{b7} Portes 0.1.0");
    says(&page, "Error from 50 mpt, blunder from 100 mpt; intervals 95 %, z = 1.96");
    assert_eq!(season_row(None, &[]).matches, 0);
}

#[test]
fn the_checker_sees_what_a_page_must_not_have() {
    let page = the_match(&play(&Wish::new(["Foxglove", "Gristmill"], 15))).html;
    let links = [
        "index.html".to_owned(),
        "quality.html".to_owned(),
        portes::report::page_name_player("Foxglove"),
        portes::report::page_name_player("Gristmill"),
    ];
    let known: BTreeSet<String> = links.into();
    assert_eq!(html::faults(&page, &known), Vec::<String>::new());
    for (spoiled, with) in [
        ("</main>", "<script>1</script></main>"),
        ("</main>", "<p onclick=\"1\"></p></main>"),
        ("</main>", "<a href=\"https://example.org/\">x</a></main>"),
        ("</main>", "<a href=\"#nowhere\">x</a></main>"),
        ("</main>", "<p id=\"top\"></p></main>"),
        ("</main>", "<p></main>"),
        ("</main>", "<h5>x</h5></main>"),
        ("</main>", "<table><tr><th>x</th></tr></table></main>"),
        ("</style>", "a{background:url(x.png)}</style>"),
        ("</style>", "@import \"x\";</style>"),
        ("img-src data:", "img-src *"),
        (" lang=\"en\"", ""),
    ] {
        let page = page.replacen(spoiled, with, 1);
        assert!(!html::faults(&page, &known).is_empty(), "{with} passed");
    }
}
