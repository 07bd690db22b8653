//! The templates: embedded in the program, single ones overridden by a user's folder.
//!
//! minijinja chooses escaping by a file's extension and prints nothing for a name it does not know. Neither is good
//! enough for pages made of strangers' text, so every template escapes HTML whatever it is called, and a name that is not
//! in the view is an error of the template, told with its line.

use super::{Page, ReportFault};
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The templates of the pages, ready to render.
#[derive(Debug)]
pub struct Templates {
    environment: Environment<'static>,
    digest: String,
    /// Buffers of pages that were written: a page has a quarter of a megabyte, and fresh memory costs as much as its text.
    spare: Mutex<Vec<Vec<u8>>>,
}

/// Buffers kept for the next pages: more than threads make pages at a time.
const SPARE: usize = 16;

macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        /// Name and text of every template.
        const EMBEDDED: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../templates/", $name)))),*];
    };
}

embedded!(
    "academy.html",
    "base.html",
    "card.html",
    "list.html",
    "match.html",
    "news.html",
    "parts.html",
    "patterns.svg",
    "player.html",
    "quality.html",
    "season.html",
    "style.css",
    "symbols.svg",
    "toc.html",
    "tournament.html",
);

/// A user's template larger than this is a mistake (the largest of ours has 12 KB, the sheet 20 KB).
const LARGEST: u64 = 1 << 20;

impl Templates {
    /// The embedded templates; where `folder` holds a file of the same name, that one.
    ///
    /// # Errors
    /// [`ReportFault`] when a file of the folder cannot be read or is no template.
    pub fn load(folder: Option<&Path>) -> Result<Self, ReportFault> {
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        let mut hasher = blake3::Hasher::new();
        for &(name, ours) in EMBEDDED {
            let text = theirs(folder, name)?.unwrap_or_else(|| ours.to_owned());
            hasher.update(blake3::hash(text.as_bytes()).as_bytes());
            environment.add_template_owned(name, text).map_err(|fault| ReportFault::template(name, &fault))?;
        }
        Ok(Self { environment, digest: hasher.finalize().to_hex().to_string(), spare: Mutex::default() })
    }

    /// Hash of all templates, 64 hexadecimal digits: part of the key that says whether a page must be made again.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Renders one view.
    pub(super) fn page(
        &self,
        template: &'static str,
        path: String,
        view: &impl Serialize,
    ) -> Result<Page, ReportFault> {
        let fault = |fault| ReportFault::template(template, &fault);
        let mut html = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        let template = self.environment.get_template(template).map_err(fault)?;
        template.render_captured_to(Serde(view), &mut html).map_err(fault)?;
        let html = String::from_utf8(html).map_err(|_| fault(unreadable()))?;
        Ok(Page { path, html })
    }

    /// Takes the memory of pages back that were written.
    pub fn take_back(&self, pages: Vec<Page>) {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let room = SPARE.saturating_sub(spare.len());
        spare.extend(pages.into_iter().take(room).map(|page| {
            let mut bytes = page.html.into_bytes();
            bytes.clear();
            bytes
        }));
    }
}

/// What was written is text, so this is never seen.
fn unreadable() -> minijinja::Error {
    minijinja::Error::new(minijinja::ErrorKind::WriteFailure, "the page is not text")
}

fn theirs(folder: Option<&Path>, name: &str) -> Result<Option<String>, ReportFault> {
    let Some(path) = folder.map(|folder| folder.join(name)) else { return Ok(None) };
    let fault = |source| ReportFault::Unreadable { name: name.to_owned(), source };
    match std::fs::metadata(&path) {
        Err(absent) if absent.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(other) => Err(fault(other)),
        Ok(meta) if meta.len() > LARGEST => Err(ReportFault::TooLarge(name.to_owned())),
        Ok(_) => std::fs::read_to_string(&path).map(Some).map_err(fault),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_template_switches_escaping_off() {
        for (name, text) in EMBEDDED {
            let text: String = text.split_whitespace().collect();
            assert!(!text.contains("|safe") && !text.contains("autoescape"), "{name}");
        }
    }
}
