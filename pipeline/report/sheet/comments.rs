//! What people wrote into the file, as plain text.

use super::Sheet;
use crate::report::names::lines;
use crate::report::parts::more;
use crate::tables::facts::CommentRow;
use serde::Serialize;

/// Comments shown, and characters of one: a page stays a page when somebody pastes a book into a file.
const COMMENTS: usize = 40;
const CHARACTERS: usize = 800;

/// A comment.
#[derive(Serialize)]
pub(super) struct CommentView {
    about: String,
    href: String,
    lines: Vec<String>,
}

pub(super) fn comments(sheet: &Sheet<'_>) -> (Vec<CommentView>, String) {
    let mut rows: Vec<&CommentRow> = sheet.input.comments.iter().filter(|row| !row.text.trim().is_empty()).collect();
    rows.sort_by_key(|row| row.index);
    let shown = rows.len().min(COMMENTS);
    let view = |row: &&CommentRow| CommentView {
        about: match (row.game, row.order) {
            (Some(game), Some(order)) => format!("Game {game}, decision {order}"),
            (Some(game), None) => format!("Game {game}"),
            _ => "The match".to_owned(),
        },
        href: match row.game {
            Some(game) if sheet.games.iter().any(|row| row.game == game) => format!("#g{game}"),
            _ => String::new(),
        },
        lines: lines(&row.text, CHARACTERS),
    };
    (rows[..shown].iter().map(view).collect(), more(rows.len(), shown))
}
