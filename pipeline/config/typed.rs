//! The command line as it was typed.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Study reports from analysed backgammon matches.
///
/// Drop analysed matches (eXtreme Gammon .xg, GNU Backgammon .sgf, .mat transcriptions, .zip archives of these) below
/// data/raw/<season>/<event>/, run `portes run`, open reports/<season>/index.html.
#[derive(Clone, Debug, Parser)]
#[command(version, after_help = crate::exit::HELP)]
pub struct Typed {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Where and how.
    #[command(flatten)]
    pub common: Common,
}

/// Options that every command takes.
#[derive(Clone, Debug, Args)]
pub struct Common {
    /// Folder that holds raw/ and gets lake/
    #[arg(long, global = true, value_name = "DIR", default_value = "data")]
    pub data: PathBuf,
    /// Folder that gets a folder of pages a season
    #[arg(long, global = true, value_name = "DIR", default_value = "reports")]
    pub reports: PathBuf,
    /// Configuration file [default: portes.toml where there is one]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Threads [default: one a processor]
    #[arg(long, global = true, value_name = "N")]
    pub jobs: Option<usize>,
    /// How to log on the standard error
    #[arg(long, global = true, value_name = "FORM", default_value = "text")]
    pub log: LogForm,
    /// Say nothing on success
    #[arg(long, global = true)]
    pub quiet: bool,
}

/// How to log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogForm {
    /// A line each, for people.
    Text,
    /// A JSON object each, for programs.
    Json,
}

/// The commands.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Ingest, rate, measure, file in the Academy, render and publish: only what changed since the last run
    Run(Night),
    /// Read the files and write the fact tables into lake/next
    Ingest,
    /// Rate the stored decisions again and write the parts into lake/next
    Rate,
    /// Write the marts into lake/next
    Measure {
        /// Print this mart as tab-separated text instead, and publish nothing
        #[arg(long, value_name = "MART")]
        only: Option<String>,
    },
    /// File the games in the Academy's libraries and write its tables into lake/next
    Academy(Academy),
    /// Make the pages from the published tables
    Render(Stage),
    /// Make lake/next the published snapshot
    Publish,
    /// Go back to the snapshot before, pages included; files below raw/ stay, and the next run reads them again
    Rollback,
    /// What changed between two kept snapshots: matches, figures that moved, files newly rejected
    Diff {
        /// Number of the earlier one
        from: String,
        /// Number of the later one
        to: String,
    },
    /// The rows behind a figure: explain MATCH (its id, the beginning of it, or its page), MATCH-DECISION, or PLAYER [SEASON]
    Explain {
        /// A match_id, a decision_id or the name of a player
        what: String,
        /// Of a player: this season only
        season: Option<String>,
    },
    /// What Portes sees in one file: players, games, decisions, figures by both rules, what was passed over
    Inspect {
        /// The file
        file: PathBuf,
    },
    /// What the lake holds, the last run, what the file system supports, and which files could not be used
    Status,
    /// Names that may be one player's, as a [players] block to paste into portes.toml
    Names,
    /// What holds: every field of portes.toml with its value and meaning, as a file that says the same
    Config,
    /// Check the published tables against their contracts
    Check,
    /// Print the data dictionary as Markdown
    Dictionary,
}

/// Options of a whole run.
#[derive(Clone, Debug, Args)]
pub struct Night {
    /// Which pages.
    #[command(flatten)]
    pub stage: Stage,
    /// Say which files would be read, which parts and pages written, and why; change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Read every file and make everything anew, whatever earlier runs left
    #[arg(long)]
    pub rebuild: bool,
    /// Begin season and player pages with what is new since last night; pages are then no function of the files alone
    #[arg(long)]
    pub news: bool,
    /// Keep the matches whose files are gone from raw/
    #[arg(long)]
    pub keep_missing: bool,
    /// Publish nothing when a file had to be rejected (a contest file is, where every line of it is refused)
    #[arg(long)]
    pub strict: bool,
}

/// Options of the Academy.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Academy {
    /// File every game again, whatever earlier runs left
    #[arg(long)]
    pub rebuild: bool,
    /// Something else.
    #[command(subcommand)]
    pub ask: Option<AcademyAsk>,
}

/// What else the Academy does.
#[derive(Clone, Debug, Subcommand)]
pub enum AcademyAsk {
    /// Print the games of a PDN file (English draughts) as lines of a contest file
    Convert {
        /// The file
        file: PathBuf,
    },
}

/// Options of a stage that can be kept to one season.
#[derive(Clone, Debug, Args)]
pub struct Stage {
    /// Make the pages of this season only
    #[arg(long, value_name = "S")]
    pub season: Option<String>,
}
