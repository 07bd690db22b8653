//! A small reader of our own pages: tags, attributes and text, and the rules a page must keep (`reports.md`). It reads
//! what a browser would read of well-formed HTML and calls everything else a fault.

use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug)]
pub(crate) struct Tag {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
}

/// A page, read.
pub(crate) struct Document {
    pub(crate) tags: Vec<Tag>,
    /// Text outside tags, entities resolved, `<style>` left out.
    pub(crate) text: String,
    pub(crate) style: String,
    pub(crate) faults: Vec<String>,
}

const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "param"];

/// Reads a page.
pub(crate) fn read(html: &str) -> Document {
    let mut doc = Document { tags: Vec::new(), text: String::new(), style: String::new(), faults: Vec::new() };
    let mut open: Vec<String> = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        doc.text.push_str(&resolved(&rest[..at], &mut doc.faults));
        rest = &rest[at..];
        if rest.starts_with("<!doctype html>") {
            rest = &rest["<!doctype html>".len()..];
            continue;
        }
        let end = tag_end(rest).unwrap_or_else(|| {
            doc.faults.push(format!("open tag: {}", head(rest)));
            rest.len() - 1
        });
        let inside = &rest[1..end];
        rest = &rest[end + 1..];
        if let Some(name) = inside.strip_prefix('/') {
            match open.pop() {
                Some(last) if last == name => {}
                other => doc.faults.push(format!("</{name}> closes {other:?}")),
            }
            // Text of neighbouring cells is not one word.
            doc.text.push(' ');
            continue;
        }
        let closed = inside.ends_with('/');
        let tag = parse(inside.trim_end_matches('/'), &mut doc.faults);
        let name = tag.name.clone();
        doc.tags.push(tag);
        if name == "style" {
            let stop = rest.find("</style>").unwrap_or(rest.len());
            doc.style.push_str(&rest[..stop]);
            rest = &rest[stop..];
        }
        if !closed && !VOID.contains(&name.as_str()) {
            open.push(name);
        }
    }
    doc.text.push_str(&resolved(rest, &mut doc.faults));
    if !open.is_empty() {
        doc.faults.push(format!("never closed: {open:?}"));
    }
    doc
}

fn head(text: &str) -> String {
    text.chars().take(60).collect()
}

/// The closing `>` outside quotes.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '>') => return Some(at),
            (None, '"' | '\'') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            _ => {}
        }
    }
    None
}

fn parse(inside: &str, faults: &mut Vec<String>) -> Tag {
    let (name, mut rest) = inside.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((inside, ""));
    if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric()) {
        faults.push(format!("tag name {name:?}"));
    }
    let mut attributes = BTreeMap::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Tag { name: name.to_owned(), attributes };
        }
        let stop = rest.find(|c: char| c == '=' || c.is_ascii_whitespace()).unwrap_or(rest.len());
        let key = rest[..stop].to_owned();
        rest = &rest[stop..];
        let mut value = String::new();
        if let Some(quoted) = rest.strip_prefix('=') {
            let Some(body) = quoted.strip_prefix('"') else {
                faults.push(format!("unquoted attribute in <{}>", head(inside)));
                return Tag { name: name.to_owned(), attributes };
            };
            let stop = body.find('"').unwrap_or(body.len());
            value = resolved(&body[..stop], faults);
            rest = body.get(stop + 1..).unwrap_or("");
        }
        if attributes.insert(key.clone(), value).is_some() {
            faults.push(format!("{key} twice in <{}>", head(inside)));
        }
    }
}

fn resolved(text: &str, faults: &mut Vec<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some((entity, after)) = rest.split_once(';') else {
            faults.push(format!("bare &: {}", head(rest)));
            break;
        };
        out.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "#39" | "#x27" => '\'',
            "#x2f" => '/',
            "shy" => '\u{ad}',
            "ensp" => '\u{2002}',
            other => {
                faults.push(format!("entity {other:?}"));
                '?'
            }
        });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Every rule that one page breaks; `known` are the file names it may link to.
pub(crate) fn faults(html: &str, known: &BTreeSet<String>) -> Vec<String> {
    let mut doc = read(html);
    let mut faults = std::mem::take(&mut doc.faults);
    structure(&doc, html, &mut faults);
    fetches(&doc, known, &mut faults);
    references(&doc, &mut faults);
    sheet(&doc.style, &mut faults);
    tables(&doc, &mut faults);
    faults
}

fn structure(doc: &Document, html: &str, faults: &mut Vec<String>) {
    const CSP: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
    if !html.starts_with("<!doctype html>") {
        faults.push("no doctype".into());
    }
    let find = |name: &'static str| doc.tags.iter().filter(move |tag| tag.name == name);
    if find("html").all(|tag| tag.attributes.get("lang").is_none_or(String::is_empty)) {
        faults.push("no lang".into());
    }
    if !find("meta").any(|tag| tag.attributes.get("content").is_some_and(|content| content == CSP)) {
        faults.push("no policy".into());
    }
    for forbidden in
        ["script", "link", "iframe", "object", "embed", "base", "form", "input", "img", "image", "foreignObject"]
    {
        if find(forbidden).next().is_some() {
            faults.push(format!("<{forbidden}>"));
        }
    }
    for tag in find("meta") {
        if tag.attributes.get("http-equiv").is_some_and(|v| v != "Content-Security-Policy") {
            faults.push(format!("{tag:?}"));
        }
    }
    let mut level = 0;
    for tag in doc.tags.iter().filter(|tag| tag.name.len() == 2 && tag.name.starts_with('h') && tag.name != "hr") {
        let Some(next) = tag.name[1..].parse::<i32>().ok() else { continue };
        if next > level + 1 || (next == 1 && level > 0) {
            faults.push(format!("<h{next}> after <h{level}>"));
        }
        level = next;
    }
}

fn fetches(doc: &Document, known: &BTreeSet<String>, faults: &mut Vec<String>) {
    for tag in &doc.tags {
        for (key, value) in &tag.attributes {
            let fault = match key.as_str() {
                "src" | "srcset" | "xlink:href" | "action" | "poster" | "formaction" | "data" | "ping"
                | "background" => true,
                "href" => !value.starts_with('#') && !known.contains(value.split('#').next().unwrap_or("")),
                key if key.starts_with("on") => true,
                "style" => true,
                _ => false,
            };
            if fault {
                faults.push(format!("{key}={value:?} in <{}>", tag.name));
            }
        }
    }
}

fn references(doc: &Document, faults: &mut Vec<String>) {
    let mut ids = BTreeSet::new();
    for tag in &doc.tags {
        if let Some(id) = tag.attributes.get("id")
            && !ids.insert(id.as_str())
        {
            faults.push(format!("id {id} twice"));
        }
    }
    for tag in &doc.tags {
        let inner = tag.attributes.get("href").and_then(|href| href.strip_prefix('#')).into_iter();
        let labels = tag.attributes.get("aria-labelledby").map(|list| list.split(' ')).into_iter().flatten();
        for id in inner.chain(labels) {
            if !ids.contains(id) {
                faults.push(format!("#{id} leads nowhere"));
            }
        }
        if tag.name == "svg" && !tag.attributes.contains_key("role") && !tag.attributes.contains_key("aria-hidden") {
            // A nested drawing belongs to the one around it.
            if !tag.attributes.contains_key("preserveAspectRatio") {
                faults.push(format!("a drawing without words: {tag:?}"));
            }
        }
    }
}

fn sheet(style: &str, faults: &mut Vec<String>) {
    if style.contains("@import") {
        faults.push("@import".into());
    }
    for at in style.match_indices("url(").map(|(at, _)| at) {
        let target = style[at + 4..].trim_start_matches(['"', '\'']);
        if !target.starts_with("data:") && !target.starts_with('#') {
            faults.push(format!("url({}", head(target)));
        }
    }
}

fn tables(doc: &Document, faults: &mut Vec<String>) {
    for (at, tag) in doc.tags.iter().enumerate() {
        if tag.name == "table" && doc.tags.get(at + 1).is_none_or(|next| next.name != "caption") {
            faults.push("a table without a caption".into());
        }
        if tag.name == "th" && !tag.attributes.contains_key("scope") {
            faults.push("a heading cell without a scope".into());
        }
    }
}
