//! Grammar-aware mutations of C texts: by tokens and bracketed groups, so that most results still
//! parse far. The choices come from bytes, which a fuzzer or a random generator makes.

use std::path::Path;

/// The C programs of a folder as tokens, in the order of their names.
pub fn corpus(dir: &Path) -> Vec<Vec<String>> {
    let files = std::fs::read_dir(dir).expect("a folder");
    let mut paths: Vec<_> = files
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "c" || e == "i"))
        .collect();
    paths.sort();
    let texts = paths.iter().filter_map(|p| std::fs::read_to_string(p).ok());
    texts.map(|t| split(&t)).collect()
}

/// Choices from bytes; zero when they run out.
pub struct Choices<'a>(pub &'a [u8]);

impl Choices<'_> {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        let mut value = 0usize;
        for _ in 0..2 {
            let (byte, rest) = self.0.split_first().map_or((0, self.0), |(b, r)| (*b, r));
            self.0 = rest;
            value = value << 8 | usize::from(byte);
        }
        value % n.max(1)
    }
}

/// Words that lead to rarely used corners of the language.
const SPICE: &[&str] = &[
    "0",
    "1",
    "-1",
    "0x7fffffff",
    "1e9",
    "\"s\"",
    "'c'",
    "int",
    "struct",
    "union",
    "void",
    "*",
    "&",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ";",
    ",",
    "?",
    ":",
    "sizeof",
    "typedef",
    "static",
    "case",
    "default",
    "goto",
    "return",
    "...",
    "__attribute__((packed))",
    "_Bool",
    "long long",
    "float",
    "const",
    "->",
    ".",
    "<<",
    "%",
    "&&",
    "do",
    "while",
    "({",
    "})",
    "__builtin_offsetof",
    "_Generic",
    "__typeof__",
    "[1000000]",
    ": 3",
    "extern",
    "enum",
    "unsigned",
];

/// The tokens of a text, roughly: words, numbers, strings, single characters.
pub fn split(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let mut token = c.to_string();
        if c.is_alphanumeric() || c == '_' {
            while let Some(d) = chars.next_if(|d| d.is_alphanumeric() || *d == '_') {
                token.push(d);
            }
        } else if c == '"' || c == '\'' {
            while let Some(d) = chars.next() {
                token.push(d);
                if d == '\\' {
                    token.extend(chars.next());
                } else if d == c || d == '\n' {
                    break;
                }
            }
        } else if c.is_whitespace() {
            // Kept behind the token: operators stay whole, comments keep their end.
            if let Some(last) = tokens.last_mut() {
                last.push(c);
            }
            continue;
        }
        tokens.push(token);
    }
    tokens
}

/// The end of the bracketed group or statement that begins at `at`.
fn group(tokens: &[String], at: usize) -> usize {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(at).take(200) {
        match token.trim() {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" if depth <= 1 => return i + 1,
            ")" | "}" | "]" => depth -= 1,
            ";" if depth == 0 => return i + 1,
            _ => {}
        }
    }
    (at + 1).min(tokens.len())
}

/// A text made from one of `texts` by a few changes.
pub fn mutate(texts: &[Vec<String>], choices: &mut Choices) -> String {
    let Some(base) = texts.get(choices.below(texts.len())) else {
        return String::new();
    };
    let mut tokens = base.clone();
    for _ in 0..=choices.below(4) {
        if tokens.is_empty() {
            break;
        }
        let at = choices.below(tokens.len());
        let end = group(&tokens, at);
        match choices.below(7) {
            0 => drop(tokens.drain(at..end)),
            1 => {
                let copy = tokens[at..end].to_vec();
                tokens.splice(at..at, copy);
            }
            2 => tokens[at] = format!(" {} ", SPICE[choices.below(SPICE.len())]),
            3 => tokens.insert(at, format!(" {} ", SPICE[choices.below(SPICE.len())])),
            4 => {
                let other = choices.below(tokens.len());
                tokens.swap(at, other);
            }
            5 => {
                let other = &texts[choices.below(texts.len())];
                let from = choices.below(other.len());
                let piece = other[from..group(other, from)].to_vec();
                tokens.splice(at..end, piece);
            }
            _ => {
                let other = choices.below(tokens.len());
                tokens[at] = tokens[other].clone();
            }
        }
    }
    tokens.concat()
}
