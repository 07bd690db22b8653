//! Text that is already HTML or SVG. Only our own drawings become [`Markup`], and what strangers wrote enters a drawing
//! through [`escaped`]; in a template such a value is inserted as it is, every other one is escaped. No template needs
//! the filter `safe`, and a test sees that none has it.

use minijinja::Value;
use serde::{Serialize, Serializer};

/// HTML or SVG made by us.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Markup(pub(super) String);

impl Markup {
    /// The text.
    #[cfg(test)]
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Serialize for Markup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Value::from_safe_string(self.0.clone()).serialize(serializer)
    }
}

/// Text for an element or a quoted attribute.
#[must_use]
pub(super) fn escaped(text: &str) -> String {
    if !text.bytes().any(|b| matches!(b, b'&' | b'<' | b'>' | b'"' | b'\'')) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}
