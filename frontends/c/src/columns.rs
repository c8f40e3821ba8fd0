//! Places in the user's own text, where the preprocessor changed a line.
//!
//! The output of a preprocessor keeps lines but not columns: macros are expanded, comments dropped,
//! spaces squeezed, arguments over several lines joined, and what a system header's macro expands to
//! comes in rows of its own. So both texts are cut into tokens and walked side by side. Equal tokens are the
//! same token. Where they differ a macro was expanded, and everything up to where the texts meet again,
//! outside of the expansion's brackets, stands where the macro's name does.

use crate::source::{BufferId, Moved, SourceMap};
use std::collections::BTreeMap;

/// A piece of text that is compared as a whole, and where it begins.
#[derive(Clone, Copy, Debug)]
struct Token<'a> {
    text: &'a [u8],
    line: u32,
    column: u32,
    offset: u32,
}

/// Gives a preprocessed buffer the places of the files that it was made from, whose texts are in `read`. To be
/// called when the line markers are known.
pub fn restore(sources: &mut SourceMap, buffer: BufferId, read: &BTreeMap<String, Vec<u8>>) {
    let mut texts: BTreeMap<u32, &[u8]> = BTreeMap::new();
    for (file, name) in sources.user_files(buffer) {
        if let Some(text) = read.get(&name) {
            texts.insert(file, text);
        }
    }
    let mut moved = Vec::new();
    let mut lines = BTreeMap::new();
    for (&file, text) in &texts {
        let source = Source::new(text);
        let mut next = 0;
        for group in groups(sources, buffer, file) {
            let (line, rows) = (group.line, &group.rows);
            let own = source.line(line);
            if let [(_, row)] = rows[..]
                && row.trim_ascii_end() == own.trim_ascii_end()
            {
                continue;
            }
            let mut out = Vec::new();
            for &(offset, row) in rows {
                tokens(row, offset, &mut out);
            }
            let first = source.tokens.partition_point(|t| t.line < line);
            // The tokens of a line may have been joined with those of a line above.
            let begun = source.tokens.get(next).is_some_and(|t| t.line == line);
            let start = if begun { next.max(first) } else { first };
            next = align(&out, &source.tokens, start, |token, origin| {
                moved.push(Moved {
                    offset: token.offset,
                    line: origin.line,
                    column: origin.column,
                });
                lines
                    .entry((file, origin.line))
                    .or_insert_with(|| String::from_utf8_lossy(source.line(origin.line)).into());
            });
        }
    }
    moved.sort_by_key(|m| m.offset);
    sources.move_tokens(buffer, moved, lines);
}

/// The rows of the output that are one line of a file.
struct Group<'a> {
    line: u32,
    rows: Vec<(u32, &'a [u8])>,
}

fn groups(sources: &SourceMap, buffer: BufferId, file: u32) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (offset, row, of, line) in sources.rows(buffer) {
        let is_marker = row.trim_ascii_start().starts_with(b"#");
        if of != file || is_marker || row.trim_ascii().is_empty() {
            continue;
        }
        match groups.last_mut() {
            Some(last) if last.line == line => last.rows.push((offset, row)),
            _ => groups.push(Group {
                line,
                rows: vec![(offset, row)],
            }),
        }
    }
    groups
}

/// Tells for each token of the output which token of the source it comes from, from `start` on; the first
/// token of the source that was not used.
fn align<'a>(
    out: &[Token<'a>],
    source: &[Token<'a>],
    start: usize,
    mut tell: impl FnMut(&Token<'a>, &Token<'a>),
) -> usize {
    let (mut at, mut o) = (start, 0);
    while let (Some(token), Some(origin)) = (out.get(o), source.get(at)) {
        if token.text == origin.text {
            tell(token, origin);
            (o, at) = (o + 1, at + 1);
            continue;
        }
        let after = end_of_call(source, at);
        let mut depth = 0_u32;
        while let Some(token) = out.get(o) {
            if depth == 0 && source.get(after).is_some_and(|s| s.text == token.text) {
                break;
            }
            match token.text {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            tell(token, origin);
            o += 1;
        }
        at = after;
    }
    at
}

/// The token after a macro's name and its arguments, if it has any.
fn end_of_call(source: &[Token<'_>], at: usize) -> usize {
    let mut depth = 0_u32;
    for (i, token) in source.iter().enumerate().skip(at + 1) {
        match token.text {
            b"(" => depth += 1,
            b")" if depth > 0 => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            // The closing bracket belongs to the call, another token does not.
            return if token.text == b")" && i > at + 1 {
                i + 1
            } else {
                at + 1
            };
        }
    }
    at + 1
}

/// A file of the user's: its lines, and its tokens without comments and directives.
struct Source<'a> {
    lines: Vec<&'a [u8]>,
    tokens: Vec<Token<'a>>,
}

impl<'a> Source<'a> {
    fn new(text: &'a [u8]) -> Source<'a> {
        let lines: Vec<&[u8]> = text.split(|c| *c == b'\n').collect();
        let mut all = Vec::new();
        tokens(text, 0, &mut all);
        let mut is_directive = vec![false; lines.len()];
        for row in 0..lines.len() {
            let continued = row > 0 && is_directive[row - 1] && lines[row - 1].ends_with(b"\\");
            is_directive[row] = continued || lines[row].trim_ascii_start().starts_with(b"#");
        }
        all.retain(|t: &Token<'_>| !is_directive[t.line as usize - 1]);
        Source { lines, tokens: all }
    }

    fn line(&self, line: u32) -> &'a [u8] {
        let row = (line as usize).checked_sub(1);
        row.and_then(|r| self.lines.get(r))
            .copied()
            .unwrap_or_default()
    }
}

/// Cuts a text into tokens; operators are single characters, which is as good for comparing.
fn tokens<'a>(text: &'a [u8], offset: u32, out: &mut Vec<Token<'a>>) {
    let (mut at, mut line, mut line_start) = (0, 1_u32, 0);
    while at < text.len() {
        let rest = &text[at..];
        let len = match rest[0] {
            b'/' if rest.starts_with(b"//") => until(rest, |r| r[0] == b'\n'),
            b'/' if rest.starts_with(b"/*") => 2 + until(&rest[2..], |r| r.starts_with(b"*/")) + 2,
            c if c.is_ascii_whitespace() || c == b'\\' => 1,
            quote @ (b'"' | b'\'') => literal(rest, quote),
            c if is_word(c) => until(rest, |r| !is_word(r[0])),
            _ => 1,
        };
        let end = (at + len).min(text.len());
        let is_token = !rest[0].is_ascii_whitespace()
            && rest[0] != b'\\'
            && !rest.starts_with(b"//")
            && !rest.starts_with(b"/*");
        if is_token {
            out.push(Token {
                text: &text[at..end],
                line,
                column: (at - line_start) as u32 + 1,
                offset: offset + at as u32,
            });
        }
        for (i, _) in text[at..end]
            .iter()
            .enumerate()
            .filter(|(_, c)| **c == b'\n')
        {
            line += 1;
            line_start = at + i + 1;
        }
        at = end;
    }
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'$' || c >= 0x80
}

/// How many bytes come before the rest that `stop` wants.
fn until(text: &[u8], stop: impl Fn(&[u8]) -> bool) -> usize {
    (0..text.len())
        .find(|&i| stop(&text[i..]))
        .unwrap_or(text.len())
}

/// The length of a literal, which ends with its line at the latest.
fn literal(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != b'\n' {
        match text[at] {
            b'\\' => at += 2,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    at.min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where each token of the output comes from, as `token@line:column`.
    fn check(own: &str, output: &str, expected: &str) {
        let (source, mut out, mut text) = (Source::new(own.as_bytes()), Vec::new(), String::new());
        tokens(output.as_bytes(), 0, &mut out);
        align(&out, &source.tokens, 0, |token, origin| {
            let token = String::from_utf8_lossy(token.text);
            text += &format!("{token}@{}:{} ", origin.line, origin.column);
        });
        assert_eq!(text.trim_end(), expected, "{own:?} as {output:?}");
    }

    #[test]
    fn tokens_of_the_output_come_from_tokens_of_the_source() {
        check(
            "\tx  = /* one */ 1;",
            "        x = 1;",
            "x@1:2 =@1:5 1@1:17 ;@1:18",
        );
        check(
            "a[N] = b;",
            "a[8] = b;",
            "a@1:1 [@1:2 8@1:3 ]@1:4 =@1:6 b@1:8 ;@1:9",
        );
        check(
            "f(x); f(y); z",
            "{(x;);}; {(y;);}; z",
            "{@1:1 (@1:1 x@1:1 ;@1:1 )@1:1 ;@1:1 }@1:1 ;@1:5 {@1:7 (@1:7 y@1:7 ;@1:7 )@1:7 ;@1:7 }@1:7 ;@1:11 z@1:13",
        );
        check("E x;", "x;", "x@1:3 ;@1:4");
        check("f(a,\n  b) c;", "b+a c;", "b@1:1 +@1:1 a@1:1 c@2:6 ;@2:7");
        check("#define f \\\n  g\nf;", "g;", "g@3:1 ;@3:2");
        check(
            "x; // f\n\"a\\\" b\" y",
            "x; \"a\\\" b\" y",
            "x@1:1 ;@1:2 \"a\\\" b\"@2:1 y@2:9",
        );
        check("f", "a b", "a@1:1 b@1:1");
    }
}
