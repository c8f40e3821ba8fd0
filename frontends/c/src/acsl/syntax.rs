//! The words of contracts, and what they say.

use std::ops::Range;

/// A contract as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// What callers have to establish.
    pub requires: Vec<Clause>,
    /// What holds when the function returns.
    pub ensures: Vec<Clause>,
    /// What it may change; none where no clause says so.
    pub assigns: Option<Vec<Clause>>,
}

/// A clause, with where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Bytes of the text that the comment is in.
    pub at: Range<usize>,
    /// What it says; of `assigns` a place.
    pub says: Node,
}

/// A condition, a number or a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Bytes of the text.
    pub at: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Number(i128),
    Name(String),
    Result,
    Null,
    True,
    False,
    Old(Box<Node>),
    /// Whether only for reading.
    Valid(Box<Node>, bool),
    Unary(&'static str, Box<Node>),
    Binary(&'static str, Box<Node>, Box<Node>),
    /// Comparisons, each of its neighbours: `0 <= x < n`.
    Chain(Box<Node>, Vec<(&'static str, Node)>),
    If(Box<Node>, Box<Node>, Box<Node>),
    /// To an integer type, in the words of C.
    Cast(String, Box<Node>),
    Deref(Box<Node>),
    Index(Box<Node>, Box<Node>),
    Member(Box<Node>, String),
    Address(Box<Node>),
}

/// What is wrong, and at which byte.
pub type Wrong = (usize, String);

/// A word and where it is.
type Word = (Range<usize>, String);

const SYMBOLS: [&str; 35] = [
    "<==>", "==>", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "^^", "->", "..", "+", "-", "*",
    "/", "%", "&", "|", "^", "~", "!", "<", ">", "?", ":", "(", ")", "[", "]", ".", ",", ";", "=",
];

/// The words of `text[range]`.
fn words(text: &[u8], range: Range<usize>) -> Result<Vec<Word>, Wrong> {
    let mut found = Vec::new();
    let mut at = range.start;
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    while at < range.end {
        let rest = &text[at..range.end];
        let first = rest[0];
        // The sign of the comment may begin its lines.
        if first.is_ascii_whitespace() || first == b'@' {
            at += 1;
            continue;
        }
        if rest.starts_with(b"//") {
            let end = rest.iter().position(|&b| b == b'\n');
            at += end.unwrap_or(rest.len());
            continue;
        }
        let len = if is_word(first) || first == b'\\' {
            1 + rest[1..].iter().take_while(|&&b| is_word(b)).count()
        } else if let Some(symbol) = SYMBOLS.iter().find(|s| rest.starts_with(s.as_bytes())) {
            symbol.len()
        } else {
            let text = String::from_utf8_lossy(&rest[..1]);
            return Err((at, format!("`{text}` is no word of a contract")));
        };
        let word = String::from_utf8_lossy(&rest[..len]).into_owned();
        found.push((at..at + len, word));
        at += len;
    }
    Ok(found)
}

struct Parser {
    words: Vec<Word>,
    next: usize,
    end: usize,
}

/// Nested this deep, a formula is refused.
const DEEPEST: usize = 2_000;

/// Parses the comment `text[range]`, which is without the marks of the comment.
pub fn parse(text: &[u8], range: Range<usize>) -> Result<Contract, Wrong> {
    let mut p = Parser {
        words: words(text, range.clone())?,
        next: 0,
        end: range.end,
    };
    let mut contract = Contract {
        requires: Vec::new(),
        ensures: Vec::new(),
        assigns: None,
    };
    while let Some((at, word)) = p.words.get(p.next).cloned() {
        p.next += 1;
        match word.as_str() {
            "requires" => contract.requires.push(p.clause()?),
            "ensures" => contract.ensures.push(p.clause()?),
            "assigns" => {
                let places = p.places()?;
                contract.assigns.get_or_insert_default().extend(places);
            }
            other => {
                let why = format!(
                    "`{other}` is outside of what is read of contracts: requires, assigns, ensures"
                );
                return Err((at.start, why));
            }
        }
    }
    Ok(contract)
}

impl Parser {
    fn peek(&self) -> &str {
        self.words.get(self.next).map_or("", |(_, w)| w)
    }

    fn at(&self) -> usize {
        self.words.get(self.next).map_or(self.end, |(r, _)| r.start)
    }

    fn last(&self) -> usize {
        let last = self.next.checked_sub(1).and_then(|i| self.words.get(i));
        last.map_or(self.end, |(r, _)| r.end)
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.peek() == word;
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, word: &str) -> Result<(), Wrong> {
        if self.take(word) {
            return Ok(());
        }
        let found = match self.peek() {
            "" => "the end of the contract".to_string(),
            other => format!("`{other}`"),
        };
        Err((self.at(), format!("expected `{word}`, found {found}")))
    }

    fn clause(&mut self) -> Result<Clause, Wrong> {
        let from = self.at();
        // A name for people.
        let is_name = |w: &str| w.bytes().next().is_some_and(|b| b.is_ascii_alphabetic());
        let colon = self.words.get(self.next + 1).is_some_and(|(_, w)| w == ":");
        if is_name(self.peek()) && colon {
            self.next += 2;
        }
        let says = self.condition(0)?;
        let at = from..self.last();
        self.expect(";")?;
        Ok(Clause { at, says })
    }

    fn places(&mut self) -> Result<Vec<Clause>, Wrong> {
        let mut places = Vec::new();
        if self.take("\\nothing") {
            self.expect(";")?;
            return Ok(places);
        }
        loop {
            let from = self.at();
            let says = self.unary(0)?;
            if !matches!(
                says.kind,
                Kind::Name(_) | Kind::Deref(_) | Kind::Index(..) | Kind::Member(..)
            ) {
                return Err((from, "this is no place that could be assigned".into()));
            }
            let at = from..self.last();
            places.push(Clause { at, says });
            if !self.take(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(places)
    }

    fn node(&self, from: usize, kind: Kind) -> Node {
        let at = from..self.last();
        Node { at, kind }
    }

    fn deeper(&self, depth: usize) -> Result<usize, Wrong> {
        match depth < DEEPEST {
            true => Ok(depth + 1),
            false => Err((self.at(), "the formula is nested too deep".into())),
        }
    }

    /// `<==>` binds least, then `==>` (from the right), `?:`, `||`, `^^`, `&&`, and what C has below them.
    fn condition(&mut self, depth: usize) -> Result<Node, Wrong> {
        let depth = self.deeper(depth)?;
        let from = self.at();
        let mut left = self.implication(depth)?;
        while self.take("<==>") {
            let right = self.implication(depth)?;
            left = self.node(from, Kind::Binary("<==>", Box::new(left), Box::new(right)));
        }
        Ok(left)
    }

    fn implication(&mut self, depth: usize) -> Result<Node, Wrong> {
        let depth = self.deeper(depth)?;
        let from = self.at();
        let left = self.choice(depth)?;
        if !self.take("==>") {
            return Ok(left);
        }
        let right = self.implication(depth)?;
        Ok(self.node(from, Kind::Binary("==>", Box::new(left), Box::new(right))))
    }

    fn choice(&mut self, depth: usize) -> Result<Node, Wrong> {
        let depth = self.deeper(depth)?;
        let from = self.at();
        let cond = self.binary(0, depth)?;
        if !self.take("?") {
            return Ok(cond);
        }
        let yes = self.condition(depth)?;
        self.expect(":")?;
        let no = self.choice(depth)?;
        let parts = (Box::new(cond), Box::new(yes), Box::new(no));
        Ok(self.node(from, Kind::If(parts.0, parts.1, parts.2)))
    }

    fn binary(&mut self, level: usize, depth: usize) -> Result<Node, Wrong> {
        const LEVELS: [&[&str]; 10] = [
            &["||"],
            &["^^"],
            &["&&"],
            &["|"],
            &["^"],
            &["&"],
            &["==", "!=", "<=", ">=", "<", ">"],
            &["<<", ">>"],
            &["+", "-"],
            &["*", "/", "%"],
        ];
        const COMPARE: usize = 6;
        let depth = self.deeper(depth)?;
        let Some(operators) = LEVELS.get(level) else {
            return self.unary(depth);
        };
        let from = self.at();
        let mut left = self.binary(level + 1, depth)?;
        let mut chain = Vec::new();
        while let Some(&op) = operators.iter().find(|o| **o == self.peek()) {
            self.next += 1;
            let right = self.binary(level + 1, depth)?;
            match level == COMPARE {
                true => chain.push((op, right)),
                false => left = self.node(from, Kind::Binary(op, Box::new(left), Box::new(right))),
            }
        }
        Ok(match chain.is_empty() {
            true => left,
            false => self.node(from, Kind::Chain(Box::new(left), chain)),
        })
    }

    fn unary(&mut self, depth: usize) -> Result<Node, Wrong> {
        let depth = self.deeper(depth)?;
        let from = self.at();
        for op in ["-", "+", "~", "!"] {
            if self.take(op) {
                let of = Box::new(self.unary(depth)?);
                return Ok(self.node(from, Kind::Unary(op, of)));
            }
        }
        if self.take("*") {
            let of = Box::new(self.unary(depth)?);
            return Ok(self.node(from, Kind::Deref(of)));
        }
        if self.take("&") {
            let of = Box::new(self.unary(depth)?);
            return Ok(self.node(from, Kind::Address(of)));
        }
        if let Some(ty) = self.cast() {
            let of = Box::new(self.unary(depth)?);
            return Ok(self.node(from, Kind::Cast(ty, of)));
        }
        self.postfix(depth)
    }

    /// An integer type in parentheses, if that is what comes.
    fn cast(&mut self) -> Option<String> {
        const TYPES: [&str; 8] = [
            "char", "short", "int", "long", "signed", "unsigned", "_Bool", "integer",
        ];
        if self.peek() != "(" {
            return None;
        }
        let words = self.words[self.next + 1..].iter().map(|(_, w)| w.as_str());
        let ty: Vec<&str> = words.take_while(|w| TYPES.contains(w)).collect();
        let close = self.words.get(self.next + 1 + ty.len());
        if ty.is_empty() || close.is_none_or(|(_, w)| w != ")") {
            return None;
        }
        let (count, ty) = (ty.len(), ty.join(" "));
        self.next += count + 2;
        Some(ty)
    }

    fn postfix(&mut self, depth: usize) -> Result<Node, Wrong> {
        let from = self.at();
        let mut of = self.primary(depth)?;
        loop {
            if self.take("[") {
                let index = Box::new(self.condition(depth)?);
                if self.peek() == ".." {
                    let why = "ranges of elements are outside of what is read of contracts";
                    return Err((self.at(), why.into()));
                }
                self.expect("]")?;
                of = self.node(from, Kind::Index(Box::new(of), index));
            } else if self.take("->") {
                let to = self.node(from, Kind::Deref(Box::new(of)));
                let name = self.name()?;
                of = self.node(from, Kind::Member(Box::new(to), name));
            } else if self.take(".") {
                let name = self.name()?;
                of = self.node(from, Kind::Member(Box::new(of), name));
            } else {
                return Ok(of);
            }
        }
    }

    fn name(&mut self) -> Result<String, Wrong> {
        let word = self.peek().to_string();
        let first = word.bytes().next();
        if !first.is_some_and(|b| b.is_ascii_alphabetic() || b == b'_') {
            return Err((self.at(), "expected a name".into()));
        }
        self.next += 1;
        Ok(word)
    }

    fn inside(&mut self, depth: usize) -> Result<Box<Node>, Wrong> {
        self.expect("(")?;
        let inside = self.condition(depth)?;
        self.expect(")")?;
        Ok(Box::new(inside))
    }

    fn primary(&mut self, depth: usize) -> Result<Node, Wrong> {
        let from = self.at();
        let word = self.peek().to_string();
        if word == "(" {
            return Ok(*self.inside(depth)?);
        }
        if word.bytes().next().is_some_and(|b| b.is_ascii_digit()) {
            let number = number(&word).ok_or((from, format!("`{word}` is no integer")))?;
            self.next += 1;
            return Ok(self.node(from, Kind::Number(number)));
        }
        self.next += usize::from(word.starts_with('\\'));
        let kind = match word.as_str() {
            "\\result" => Kind::Result,
            "\\null" => Kind::Null,
            "\\true" => Kind::True,
            "\\false" => Kind::False,
            "\\old" => Kind::Old(self.inside(depth)?),
            "\\valid" => Kind::Valid(self.inside(depth)?, false),
            "\\valid_read" => Kind::Valid(self.inside(depth)?, true),
            other if other.starts_with('\\') => {
                let why = format!("`{other}` is outside of what is read of contracts");
                return Err((from, why));
            }
            "" => return Err((from, "the contract ends in the middle of a clause".into())),
            _ => {
                let name = self.name()?;
                if self.peek() == "(" {
                    let why = format!("`{name}(...)` is outside of what is read of contracts");
                    return Err((from, why));
                }
                match name.as_str() {
                    "NULL" => Kind::Null,
                    _ => Kind::Name(name),
                }
            }
        };
        Ok(self.node(from, kind))
    }
}

/// An integer constant of C; suffixes say nothing where numbers have no width.
fn number(word: &str) -> Option<i128> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    if let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        // A suffix of hexadecimal digits is none.
        return i128::from_str_radix(hex, 16).ok();
    }
    match digits.strip_prefix('0') {
        Some("") => Some(0),
        Some(octal) => i128::from_str_radix(octal, 8).ok(),
        None => digits.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Contract, Wrong> {
        parse(text.as_bytes(), 0..text.len())
    }

    #[test]
    fn clauses_are_read() {
        let text = "requires low: 0 <= x < n ==> \\valid(p) && *p != 0x1Fu; @ assigns *p, s.f, a[x];\n@ ensures \\result == \\old(*p) + 1;";
        let contract = parsed(text).unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!((contract.requires.len(), contract.ensures.len()), (1, 1));
        assert_eq!(contract.assigns.map(|a| a.len()), Some(3));
        let Kind::Binary("==>", left, _) = &contract.requires[0].says.kind else {
            panic!("{:?}", contract.requires[0]);
        };
        let Kind::Chain(_, chain) = &left.kind else {
            panic!("{left:?}");
        };
        assert_eq!(chain.len(), 2);
        assert_eq!(
            parsed("assigns \\nothing;").map(|c| c.assigns),
            Ok(Some(Vec::new()))
        );
        assert_eq!(parsed("").map(|c| c.assigns), Ok(None));
    }

    #[test]
    fn what_is_not_read_is_told() {
        for (text, why) in [
            (
                "requires \\forall integer i; i > 0;",
                "`\\forall` is outside",
            ),
            ("behavior b: assumes x > 0;", "`behavior` is outside"),
            ("loop invariant x > 0;", "`loop` is outside"),
            ("ensures f(x) > 0;", "`f(...)` is outside"),
            ("assigns p[0..3];", "ranges of elements"),
            ("requires x > 0", "expected `;`"),
            ("requires x >;", "expected a name"),
            ("requires x # 1;", "`#` is no word"),
            ("assigns x + 1, y;", "expected `;`"),
            ("assigns 1;", "no place"),
            ("ensures \\result == ", "in the middle"),
        ] {
            let (_, found) = parsed(text).expect_err(text);
            assert!(found.contains(why), "{text}: {found}");
        }
        let deep = format!("requires {}x{};", "(".repeat(500), ")".repeat(500));
        assert!(parsed(&deep).expect_err("deep").1.contains("too deep"));
    }
}
