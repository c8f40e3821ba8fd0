//! Text that others wrote, as a terminal may show it.
//!
//! Names of files, messages and lines of programs go to terminals and logs. Control characters in them could move the
//! cursor, change the title, or rewrite the verdict above; marks of writing direction could show a line in another order
//! than it has. Both are written as escapes; line ends and tabs stay, and so do the colours that traces have.

use std::borrow::Cow;

/// What traces are coloured with; see `trellis_witness::steps::render`.
const COLOURS: [&str; 4] = ["\x1b[36m", "\x1b[1m", "\x1b[2m", "\x1b[0m"];

/// The text with everything visible.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(at) = rest.find(is_odd) {
        out += &rest[..at];
        rest = &rest[at..];
        if let Some(colour) = COLOURS.iter().find(|c| rest.starts_with(**c)) {
            out += colour;
            rest = &rest[colour.len()..];
            continue;
        }
        let mut chars = rest.chars();
        out.extend(chars.next().into_iter().flat_map(char::escape_default));
        rest = chars.as_str();
    }
    Cow::Owned(out + rest)
}

/// The same on one line, such as the verdict.
pub fn line(text: &str) -> String {
    plain(&text.replace(['\n', '\r', '\t'], " ")).into_owned()
}

fn is_odd(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() && c != '\n' && c != '\t' || turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_visible_is_printed() {
        let check = |text: &str, shown: &str| assert_eq!(plain(text), shown);
        check("a\tb\nü", "a\tb\nü");
        check("\x1b[36mplace\x1b[0m", "\x1b[36mplace\x1b[0m");
        check("\x1b]0;title\x07\r", "\\u{1b}]0;title\\u{7}\\r");
        check("\u{9b}2J\u{202e}x", "\\u{9b}2J\\u{202e}x");
        assert_eq!(line("a)\nVERDICT: true\r"), "a) VERDICT: true ");
    }
}
