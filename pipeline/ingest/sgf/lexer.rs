//! Bytes to game trees, nodes and properties.
//!
//! The lexer owns the grammar of SGF and nothing of its meaning. It walks the main line of each tree: the nodes up to
//! the first `)`, which are those of the first branch at every fork. It refuses recursion (a tree's depth is a number),
//! nesting beyond [`DEEPEST`], and nodes of more than [`MOST_VALUES`] values. Values are slices of the file, still
//! escaped: nothing is copied, and one [`Node`] is filled again and again.
//!
//! Line breaks are not record separators and a value may hold `;`, `(` and `[`, so the end of a value is found only by
//! its unescaped `]`, eight bytes at a look.

/// Deepest nesting that is followed; files of the program nest once.
const DEEPEST: usize = 64;

/// Most values kept of one node: twice the program's limit of candidates (3,060) and room for the rest.
const MOST_VALUES: usize = 8_192;

/// A property's name: its upper-case letters, of which only one or two mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Id(u16);

impl Id {
    /// The name written `text`; lower-case letters are ignored, as in the days of FF[3].
    pub(super) const fn of(text: &[u8]) -> Self {
        let (mut id, mut at) = (0u16, 0);
        while at < text.len() {
            if text[at].is_ascii_uppercase() {
                if id > 0xff {
                    return Self(u16::MAX);
                }
                id = (id << 8) | text[at] as u16;
            }
            at += 1;
        }
        Self(id)
    }
}

/// One property of a node.
#[derive(Clone, Copy, Debug)]
struct Property {
    id: Id,
    first: usize,
    count: usize,
}

/// The properties of one node, as slices of the file.
#[derive(Debug, Default)]
pub(super) struct Node<'a> {
    /// Where its `;` stands.
    pub(super) offset: usize,
    /// Values were left out: there were more than [`MOST_VALUES`].
    pub(super) overfull: bool,
    properties: Vec<Property>,
    values: Vec<&'a [u8]>,
}

impl<'a> Node<'a> {
    fn clear(&mut self, offset: usize) {
        self.offset = offset;
        self.overfull = false;
        self.properties.clear();
        self.values.clear();
    }

    /// The values of the last property of this name.
    pub(super) fn values(&self, id: Id) -> &[&'a [u8]] {
        let found = self.properties.iter().rev().find(|property| property.id == id);
        found.map_or(&[], |property| &self.values[property.first..property.first + property.count])
    }

    /// The first value of the last property of this name: where a node repeats a property, the program keeps the last.
    pub(super) fn value(&self, id: Id) -> Option<&'a [u8]> {
        self.values(id).first().copied()
    }

    /// The first value of whichever of two properties comes first: of `B` and `W` the program takes the first.
    pub(super) fn first_of(&self, ids: [Id; 2]) -> Option<(Id, &'a [u8])> {
        let found = self.properties.iter().find(|property| ids.contains(&property.id))?;
        Some((found.id, self.values.get(found.first).copied()?))
    }

    /// Whether a property of this name is there.
    pub(super) fn has(&self, id: Id) -> bool {
        self.properties.iter().any(|property| property.id == id)
    }
}

/// What comes next in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A node of the main line.
    Node,
    /// The tree is closed.
    End,
    /// The tree does not close as it should.
    Broken(Break),
}

/// How a tree breaks off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Break {
    /// The file ends inside the tree.
    Truncated,
    /// Another game begins inside it.
    Unclosed,
    /// Parentheses nest too deep for a file of games.
    TooDeep,
}

/// A place in a file.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, depth: 0 }
    }

    /// First byte not yet read.
    pub(super) const fn offset(&self) -> usize {
        self.at
    }

    /// Goes to the next tree and into it; whatever stands between trees is passed over. False when there is none.
    pub(super) fn next_tree(&mut self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let open = rest.iter().position(|&byte| byte == b'(');
        self.at += open.map_or(rest.len(), |open| open + 1);
        self.depth = 1;
        open.is_some()
    }

    /// Reads the next node of the main line, or closes the tree.
    pub(super) fn next_node(&mut self, node: &mut Node<'a>) -> Step {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b';' => return self.read_node(node),
                b')' => return self.leave_tree(),
                b'(' if self.game_begins() => return Step::Broken(Break::Unclosed),
                b'(' if self.depth >= DEEPEST => return Step::Broken(Break::TooDeep),
                b'(' => self.depth += 1,
                b'[' => {
                    if !self.skip_value() {
                        break;
                    }
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.bytes.len();
        Step::Broken(Break::Truncated)
    }

    /// Passes over what is left of a tree.
    pub(super) fn leave_tree(&mut self) -> Step {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b')' if self.depth <= 1 => {
                    self.at += 1;
                    return Step::End;
                }
                b')' => self.depth -= 1,
                b'(' if self.game_begins() => return Step::End,
                b'(' if self.depth >= DEEPEST => return Step::Broken(Break::TooDeep),
                b'(' => self.depth += 1,
                b'[' => {
                    if !self.skip_value() {
                        break;
                    }
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.bytes.len();
        Step::Broken(Break::Truncated)
    }

    /// The `(` here opens another game, whatever the parentheses before it say: a lost `)` costs one game, not all.
    fn game_begins(&self) -> bool {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default().trim_ascii_start();
        rest.starts_with(b";FF[") || rest.starts_with(b";GM[")
    }

    fn read_node(&mut self, node: &mut Node<'a>) -> Step {
        node.clear(self.at);
        self.at += 1;
        loop {
            self.skip_space();
            let name = self.read_name();
            self.skip_space();
            match self.bytes.get(self.at) {
                None => return Step::Broken(Break::Truncated),
                Some(b'[') => {
                    if !self.read_values(node, name) {
                        self.at = self.bytes.len();
                        return Step::Broken(Break::Truncated);
                    }
                }
                Some(b';' | b'(' | b')') => return Step::Node,
                Some(byte) if byte.is_ascii_alphabetic() => {}
                Some(_) => self.at += 1,
            }
        }
    }

    fn read_name(&mut self) -> Id {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        self.at += length;
        Id::of(&rest[..length])
    }

    /// Reads `[v1][v2]...`; false when the file ends before the last `]`.
    fn read_values(&mut self, node: &mut Node<'a>, id: Id) -> bool {
        let first = node.values.len();
        while self.bytes.get(self.at) == Some(&b'[') {
            let start = self.at + 1;
            let Some(end) = end_of_value(self.bytes, start) else { return false };
            if node.values.len() < MOST_VALUES {
                node.values.push(&self.bytes[start..end]);
            } else {
                node.overfull = true;
            }
            self.at = end + 1;
            self.skip_space();
        }
        let count = node.values.len() - first;
        if count > 0 {
            node.properties.push(Property { id, first, count });
        }
        true
    }

    /// Passes over a value that belongs to nothing; false when it does not end.
    fn skip_value(&mut self) -> bool {
        match end_of_value(self.bytes, self.at + 1) {
            Some(end) => self.at = end + 1,
            None => return false,
        }
        true
    }

    fn skip_space(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }
}

/// The first unescaped `]` from `at` on.
fn end_of_value(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += plain_run(bytes.get(at..)?);
        match bytes.get(at)? {
            b']' => return Some(at),
            _ => at += 2,
        }
    }
}

/// How many bytes come before the first `]` or `\`.
fn plain_run(bytes: &[u8]) -> usize {
    let (words, _) = bytes.as_chunks::<8>();
    let mut run = 0;
    for &word in words {
        let word = u64::from_le_bytes(word);
        let found = zero_bytes(word ^ repeat(b']')) | zero_bytes(word ^ repeat(b'\\'));
        if found != 0 {
            return run + (found.trailing_zeros() / 8) as usize;
        }
        run += 8;
    }
    run + bytes[run..].iter().take_while(|&&byte| byte != b']' && byte != b'\\').count()
}

/// The byte in all eight places.
const fn repeat(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The high bit of each zero byte; above the lowest of them there may be false ones, and only the lowest is used.
const fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(repeat(0x01)) & !word & repeat(0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    const B: Id = Id::of(b"B");
    const C: Id = Id::of(b"C");

    fn main_line(text: &str) -> (Vec<String>, Step) {
        let (mut lexer, mut node, mut found) = (Lexer::new(text.as_bytes()), Node::default(), Vec::new());
        lexer.next_tree();
        loop {
            match lexer.next_node(&mut node) {
                Step::Node => found
                    .push(node.value(B).map(|value| String::from_utf8_lossy(value).into_owned()).unwrap_or_default()),
                end => return (found, end),
            }
        }
    }

    #[test]
    fn the_main_line_is_the_first_branch_everywhere() {
        let (nodes, end) = main_line("x(;B[1](;B[2](;B[3])(;B[4]))(;B[5]))");
        assert_eq!((nodes.join(" ").as_str(), end), ("1 2 3", Step::End));
    }

    #[test]
    fn brackets_semicolons_and_escapes_stay_inside_their_value() {
        let text = b"(;C[a [b\\] ; (c\\\\]B[31]\r\n[x];Black[42])";
        let (mut lexer, mut node) = (Lexer::new(text), Node::default());
        assert!(lexer.next_tree());
        assert_eq!(lexer.next_node(&mut node), Step::Node);
        assert_eq!(node.value(C), Some(&b"a [b\\] ; (c\\\\"[..]));
        assert_eq!(node.values(B), [&b"31"[..], &b"x"[..]]);
        assert_eq!(lexer.next_node(&mut node), Step::Node);
        assert_eq!(node.value(B), Some(&b"42"[..]));
        assert_eq!(lexer.next_node(&mut node), Step::End);
        assert!(!lexer.next_tree());
    }

    #[test]
    fn a_long_value_ends_at_its_bracket_wherever_that_falls() {
        for length in 0..40 {
            let text = format!("{}\\]{}]", "a".repeat(length), "b".repeat(40 - length));
            assert_eq!(end_of_value(text.as_bytes(), 0), Some(42));
            assert_eq!(end_of_value(&text.as_bytes()[..42], 0), None);
        }
    }

    #[test]
    fn what_does_not_close_is_told_and_never_followed_without_end() {
        assert_eq!(main_line("(;B[1];B[2").1, Step::Broken(Break::Truncated));
        assert_eq!(main_line("(;B[1]\n(;FF[4]GM[6])").1, Step::Broken(Break::Unclosed));
        assert_eq!(main_line(&"(".repeat(100_000)).1, Step::Broken(Break::TooDeep));
    }
}
