//! S-expressions in an arena.
//!
//! Models hold store chains of any depth, so nothing here recurses: not the parser, not its readers, not
//! the destructor.

use thiserror::Error;

/// One s-expression of a [`Forest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node(u32);

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View<'a> {
    /// A symbol (its bars removed), keyword, numeral or `#b`/`#x` literal.
    Atom(&'a str),
    /// A string literal without its quotes; doubled quotes stay doubled.
    Text(&'a str),
    /// A list.
    List(&'a [Node]),
}

enum Entry {
    Atom(usize, usize),
    Text(usize, usize),
    List(usize, usize),
}

/// A parsed text.
pub struct Forest<'t> {
    text: &'t str,
    entries: Vec<Entry>,
    children: Vec<Node>,
    roots: Vec<Node>,
}

/// What is wrong with a text (user's input, or a solver that answers nonsense).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SexprError {
    /// A closing parenthesis too many.
    #[error("line {line}: a closing parenthesis without an opening one")]
    Closing {
        /// Where, from 1.
        line: usize,
    },
    /// The text ends inside of a list, string or quoted symbol.
    #[error("the text ends inside of {what} that begins on line {line}")]
    Open {
        /// What is open.
        what: &'static str,
        /// Where it begins, from 1.
        line: usize,
    },
}

impl<'t> Forest<'t> {
    /// Parses all s-expressions of `text`.
    pub fn parse(text: &'t str) -> Result<Forest<'t>, SexprError> {
        let mut forest = Forest {
            text,
            entries: Vec::new(),
            children: Vec::new(),
            roots: Vec::new(),
        };
        // Lists that are open: where they begin, and their elements so far.
        let mut open: Vec<(usize, Vec<Node>)> = Vec::new();
        let mut tokens = Tokens { text, at: 0 };
        while let Some(token) = tokens.next().map_err(|what| SexprError::Open {
            what,
            line: line(text, tokens.at),
        })? {
            let node = match token {
                Token::Open(at) => {
                    open.push((at, Vec::new()));
                    continue;
                }
                Token::Close(at) => {
                    let Some((_, elements)) = open.pop() else {
                        return Err(SexprError::Closing {
                            line: line(text, at),
                        });
                    };
                    let start = forest.children.len();
                    forest.children.extend(elements);
                    forest.add(Entry::List(start, forest.children.len()))
                }
                Token::Atom(from, to) => forest.add(Entry::Atom(from, to)),
                Token::Text(from, to) => forest.add(Entry::Text(from, to)),
            };
            match open.last_mut() {
                Some((_, elements)) => elements.push(node),
                None => forest.roots.push(node),
            }
        }
        match open.first() {
            Some(&(at, _)) => Err(SexprError::Open {
                what: "a list",
                line: line(text, at),
            }),
            None => Ok(forest),
        }
    }

    fn add(&mut self, entry: Entry) -> Node {
        let n =
            u32::try_from(self.entries.len()).expect("a text of 2^32 nodes is not read at once");
        self.entries.push(entry);
        Node(n)
    }

    /// The s-expressions at the top.
    pub fn roots(&self) -> &[Node] {
        &self.roots
    }

    /// What `node` is.
    pub fn view(&self, node: Node) -> View<'_> {
        match self.entries[node.0 as usize] {
            Entry::Atom(from, to) => View::Atom(&self.text[from..to]),
            Entry::Text(from, to) => View::Text(&self.text[from..to]),
            Entry::List(from, to) => View::List(&self.children[from..to]),
        }
    }

    /// The text of an atom.
    pub fn atom(&self, node: Node) -> Option<&str> {
        match self.view(node) {
            View::Atom(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list.
    pub fn list(&self, node: Node) -> Option<&[Node]> {
        match self.view(node) {
            View::List(elements) => Some(elements),
            _ => None,
        }
    }

    /// `node` as text again, cut off after about `limit` bytes; for messages.
    pub fn excerpt(&self, node: Node, limit: usize) -> String {
        let mut out = String::new();
        let mut stack = vec![Some(node)];
        while let Some(next) = stack.pop() {
            if out.len() > limit {
                return out + " ...";
            }
            let Some(node) = next else {
                out.push(')');
                continue;
            };
            if !out.is_empty() && !out.ends_with('(') {
                out.push(' ');
            }
            match self.view(node) {
                View::Atom(text) => out.push_str(text),
                View::Text(text) => {
                    out.push('"');
                    out.push_str(text);
                    out.push('"');
                }
                View::List(elements) => {
                    out.push('(');
                    stack.push(None);
                    stack.extend(elements.iter().rev().map(|&n| Some(n)));
                }
            }
        }
        out
    }
}

fn line(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at.min(text.len())]
        .iter()
        .filter(|&&b| b == b'\n')
        .count()
}

enum Token {
    Open(usize),
    Close(usize),
    Atom(usize, usize),
    Text(usize, usize),
}

struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl Tokens<'_> {
    /// The next token; an error names what is left open, with `at` at its beginning.
    fn next(&mut self) -> Result<Option<Token>, &'static str> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                None => return Ok(None),
                Some(b';') => {
                    let rest = bytes[self.at..].iter().position(|&b| b == b'\n');
                    self.at = rest.map_or(bytes.len(), |n| self.at + n);
                }
                Some(b) if b.is_ascii_whitespace() => self.at += 1,
                Some(_) => break,
            }
        }
        let from = self.at;
        let until = |quote: u8, from: usize| {
            let end = bytes[from..].iter().position(|&b| b == quote);
            end.map(|n| from + n)
        };
        match bytes[from] {
            b'(' => {
                self.at += 1;
                Ok(Some(Token::Open(from)))
            }
            b')' => {
                self.at += 1;
                Ok(Some(Token::Close(from)))
            }
            b'|' => {
                let end = until(b'|', from + 1).ok_or("a quoted symbol")?;
                self.at = end + 1;
                Ok(Some(Token::Atom(from + 1, end)))
            }
            b'"' => {
                let mut end = until(b'"', from + 1).ok_or("a string")?;
                // A doubled quote stands for one.
                while bytes.get(end + 1) == Some(&b'"') {
                    end = until(b'"', end + 2).ok_or("a string")?;
                }
                self.at = end + 1;
                Ok(Some(Token::Text(from + 1, end)))
            }
            _ => {
                let end = bytes[from..].iter().position(|&b| is_delimiter(b));
                self.at = end.map_or(bytes.len(), |n| from + n);
                Ok(Some(Token::Atom(from, self.at)))
            }
        }
    }
}

fn is_delimiter(b: u8) -> bool {
    b.is_ascii_whitespace() || matches!(b, b'(' | b')' | b'"' | b'|' | b';')
}

/// Finds the end of the first s-expression in a growing buffer, looking at each byte once.
#[derive(Default)]
pub struct Scanner {
    at: usize,
    depth: usize,
    mode: Mode,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum Mode {
    #[default]
    Between,
    Atom,
    Text,
    Quoted,
    Comment,
}

impl Scanner {
    /// The length of the first complete s-expression in `buffer` with all before it, or `None` while it
    /// is incomplete. A bare atom is complete when something follows it. `buffer` must be the one of the
    /// last call with bytes added at its end.
    pub fn scan(&mut self, buffer: &[u8]) -> Option<usize> {
        while let Some(&b) = buffer.get(self.at) {
            let in_atom = self.mode == Mode::Atom;
            if in_atom && is_delimiter(b) {
                self.mode = Mode::Between;
                if self.depth == 0 {
                    return self.finish();
                }
                continue;
            }
            self.at += 1;
            let mut closed = false;
            self.mode = match (self.mode, b) {
                (Mode::Comment, b'\n') => Mode::Between,
                (Mode::Text, b'"') | (Mode::Quoted, b'|') => {
                    closed = true;
                    Mode::Between
                }
                (mode @ (Mode::Comment | Mode::Text | Mode::Quoted | Mode::Atom), _) => mode,
                (Mode::Between, b';') => Mode::Comment,
                (Mode::Between, b'"') => Mode::Text,
                (Mode::Between, b'|') => Mode::Quoted,
                (Mode::Between, b'(') => {
                    self.depth += 1;
                    Mode::Between
                }
                (Mode::Between, b')') => {
                    self.depth = self.depth.saturating_sub(1);
                    closed = true;
                    Mode::Between
                }
                (Mode::Between, b) if b.is_ascii_whitespace() => Mode::Between,
                (Mode::Between, _) => Mode::Atom,
            };
            if closed && self.depth == 0 {
                return self.finish();
            }
        }
        None
    }

    fn finish(&mut self) -> Option<usize> {
        let length = self.at;
        *self = Scanner::default();
        Some(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let shown = match Forest::parse(text) {
            Ok(forest) => {
                let roots = forest.roots().iter();
                let shown: Vec<String> = roots.map(|&n| forest.excerpt(n, 100)).collect();
                shown.join(" / ")
            }
            Err(e) => e.to_string(),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn texts() {
        check("sat", "sat");
        check("(a (b) |c d|);x)\n#b01", "(a (b) c d) / #b01");
        check(
            "(error \"no \"\"such\"\" thing)\")",
            "(error \"no \"\"such\"\" thing)\")",
        );
        check(
            "() )",
            "line 1: a closing parenthesis without an opening one",
        );
        check(
            "\n(a (b)",
            "the text ends inside of a list that begins on line 2",
        );
        check(
            "a \"b",
            "the text ends inside of a string that begins on line 1",
        );
        check(
            "|b",
            "the text ends inside of a quoted symbol that begins on line 1",
        );
        let deep = "(".repeat(300_000) + &")".repeat(300_000);
        assert_eq!(Forest::parse(&deep).map(|f| f.roots().len()), Ok(1));
    }

    /// However the bytes arrive, the same pieces are found.
    #[test]
    fn streams() {
        let text = b"sat\n((x |a)|) (y \";(\")) ; (\nunsat (error \"a\nb\") ";
        let pieces: [&[u8]; 4] = [
            b"sat",
            b"\n((x |a)|) (y \";(\"))",
            b" ; (\nunsat",
            b" (error \"a\nb\")",
        ];
        for step in 1..text.len() {
            let (mut buffer, mut found) = (Vec::new(), Vec::new());
            let mut scanner = Scanner::default();
            for chunk in text.chunks(step) {
                buffer.extend_from_slice(chunk);
                while let Some(n) = scanner.scan(&buffer) {
                    found.push(buffer.drain(..n).collect::<Vec<u8>>());
                }
            }
            assert_eq!(found, pieces);
        }
    }
}
