//! Syntax errors: what to say, and where to go on.
//!
//! The parser stops at the first error. Then the text is resumed behind the next `;` or `}`: inside a
//! function block by block (the enclosing blocks are parsed on as lists of block items), outside at
//! the next external declaration. After an error the tree is only good for finding further errors.

use super::feed::Feed;
use super::grammar::{LoneBlockItemsParser, UnitParser};
use super::state::State;
use crate::lex::TokenBuffer;
use crate::lex::raw::Raw;
use crate::lex::token::{Kw, Tok, Token};
use crate::source::Span;
use lalrpop_util::ParseError;

/// More syntax errors than this are not looked for.
const MAX_ERRORS: usize = 25;

const LBRACE: Tok = Tok::Punct(Raw::LBrace);
const RBRACE: Tok = Tok::Punct(Raw::RBrace);
const SEMI: Tok = Tok::Punct(Raw::Semi);

type Failure = ParseError<u32, Tok, ()>;

/// Parses a translation unit with recovery.
pub fn unit(state: &State, buffer: &TokenBuffer) {
    let tokens = &buffer.tokens;
    let file_scope = state.save();
    let mut at = 0;
    let mut errors = 0;
    loop {
        let rest = &tokens[at..];
        let start = rest.first().map_or(buffer.end, |t| t.span.lo);
        state.done.set(start);
        let Err(failure) = UnitParser::new().parse(state, Feed::new(state, rest, start)) else {
            return;
        };
        let decl_start = tokens
            .partition_point(|t| t.span.hi <= state.done.get())
            .max(at);
        let bad = error_index(&failure, tokens);
        report(state, &failure, tokens, bad, buffer.end);
        errors += 1;
        let names = file_scope_names(state, file_scope);
        at = resume_external(state, tokens, decl_start, bad, &mut errors, buffer.end);
        state.restore(file_scope);
        for (name, typedef) in names {
            state.declare(name, typedef);
        }
        if at >= tokens.len() || errors >= MAX_ERRORS {
            return;
        }
    }
}

/// The declarations of file scope survive an error; local ones do little harm.
fn file_scope_names(state: &State, mark: super::state::Mark) -> Vec<(crate::lex::Symbol, bool)> {
    let names = state.take_scope(mark);
    for (name, typedef) in &names {
        state.declare(*name, *typedef);
    }
    names
}

/// Index of the offending token; the length at the end of input.
fn error_index(failure: &Failure, tokens: &[Token]) -> usize {
    let lo = match failure {
        ParseError::UnrecognizedToken {
            token: (lo, tok, _),
            ..
        }
        | ParseError::ExtraToken {
            token: (lo, tok, _),
        } => {
            // A zero-width token ends where its name ends: the name is the culprit.
            if matches!(tok, Tok::Variable | Tok::Type) {
                return tokens.partition_point(|t| t.span.hi < *lo);
            }
            *lo
        }
        _ => return tokens.len(),
    };
    tokens.partition_point(|t| t.span.lo < lo)
}

/// Index after the external declaration that starts at `start` and is wrong at `bad`; the blocks
/// around the error are parsed on for further errors.
fn resume_external(
    state: &State,
    tokens: &[Token],
    start: usize,
    bad: usize,
    errors: &mut usize,
    end: u32,
) -> usize {
    let mut open = Vec::new();
    for (i, token) in tokens.iter().enumerate().take(bad).skip(start) {
        match token.tok {
            LBRACE => open.push(i),
            RBRACE => {
                open.pop();
            }
            _ => {}
        }
    }
    let in_function = open
        .first()
        .is_some_and(|i| is_function_brace(tokens, start, *i));
    let mut at = skip_past(tokens, bad);
    if !in_function {
        // A broken struct or initialiser: skip to the end of the whole declaration.
        return end_of_declaration(tokens, start, bad);
    }
    // The error may itself be a closing brace.
    if tokens
        .get(at.wrapping_sub(1))
        .is_some_and(|t| t.tok == RBRACE)
        && at > bad
    {
        open.pop();
    }
    while open.pop().is_some() {
        let close = block_end(tokens, at);
        at = block_items(state, tokens, at, close, errors, end);
    }
    at
}

/// Parses block items in `at..close` with recovery; the index after the closing brace.
fn block_items(
    state: &State,
    tokens: &[Token],
    mut at: usize,
    close: usize,
    errors: &mut usize,
    end: u32,
) -> usize {
    while at < close && *errors < MAX_ERRORS {
        let part = &tokens[at..close];
        if part[0].tok == Tok::Kw(Kw::Else) {
            at = skip_past(tokens, at).min(close);
            continue;
        }
        let start = part[0].span.lo;
        let Err(failure) = LoneBlockItemsParser::new().parse(state, Feed::new(state, part, start))
        else {
            break;
        };
        let bad = error_index(&failure, tokens).min(close);
        report(state, &failure, tokens, bad, end);
        *errors += 1;
        // Blocks opened inside this part are skipped as wholes.
        at = skip_past(tokens, bad.max(at)).min(close);
    }
    (close + 1).min(tokens.len())
}

/// Whether the brace at `at` opens a function body rather than a struct, enum or initialiser.
fn is_function_brace(tokens: &[Token], start: usize, at: usize) -> bool {
    at > start
        && matches!(
            tokens[at - 1].tok,
            Tok::Punct(Raw::RParen | Raw::Semi) | Tok::Attr(_) | Tok::Asm(_)
        )
}

/// Index after the first `;` or `}` at or after `bad` that is not inside braces opened after it.
fn skip_past(tokens: &[Token], bad: usize) -> usize {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(bad) {
        match token.tok {
            LBRACE => depth += 1,
            RBRACE if depth <= 1 => return i + 1,
            RBRACE => depth -= 1,
            SEMI if depth == 0 => return i + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// Index of the brace that closes the block we are in.
fn block_end(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(at) {
        match token.tok {
            LBRACE => depth += 1,
            RBRACE if depth == 0 => return i,
            RBRACE => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

fn end_of_declaration(tokens: &[Token], start: usize, bad: usize) -> usize {
    let mut depth = 0usize;
    let mut function = false;
    for (i, token) in tokens.iter().enumerate().skip(start) {
        match token.tok {
            LBRACE => {
                function |= depth == 0 && is_function_brace(tokens, start, i);
                depth += 1;
            }
            RBRACE => {
                depth = depth.saturating_sub(1);
                if depth == 0 && function && i >= bad {
                    return i + 1;
                }
            }
            SEMI if depth == 0 && i >= bad => return i + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// Says what was expected, in the manner of gcc.
fn report(state: &State, failure: &Failure, tokens: &[Token], bad: usize, end: u32) {
    let expected = match failure {
        ParseError::UnrecognizedToken { expected, .. }
        | ParseError::UnrecognizedEof { expected, .. } => expected.as_slice(),
        _ => &[],
    };
    let has = |t: &str| expected.iter().any(|e| e.trim_matches('"') == t);
    let previous = bad.checked_sub(1).and_then(|i| tokens.get(i));
    let found = match tokens.get(bad) {
        Some(t) => format!("before {}", spell(state, t)),
        None => "at end of input".to_owned(),
    };
    let here = tokens.get(bad).map_or(Span::new(end, end), |t| t.span);
    if let Some((name, span)) = undeclared_type(state, failure, tokens, bad) {
        return state.error(span, format!("unknown type name '{name}'"));
    }
    let after_previous = previous.map_or(here, |t| Span::new(t.span.hi, t.span.hi + 1));
    for (want, text) in [(";", "';'"), (")", "')'"), ("]", "']'"), ("}", "'}'")] {
        if has(want) && !(want == ")" && has(";")) {
            return state.error(after_previous, format!("expected {text} {found}"));
        }
    }
    let what = if has("int_lit") && has("if") {
        "statement"
    } else if has("int_lit") {
        "expression"
    } else if has("int") && has("typedef") {
        "declaration"
    } else if has("int") {
        "type"
    } else if has("name") {
        "identifier"
    } else if has("(") {
        "'('"
    } else if has("while") {
        "'while'"
    } else if has("{") {
        "'{'"
    } else {
        return state.error(here, format!("syntax error {found}"));
    };
    state.error(here, format!("expected {what} {found}"));
}

/// A name where only a type would do is nearly always a type that nobody declared: either the name
/// before the error, when a declaration seems to begin there, or the offending name itself.
fn undeclared_type(
    state: &State,
    failure: &Failure,
    tokens: &[Token],
    bad: usize,
) -> Option<(String, Span)> {
    let text = |n: &crate::lex::Symbol| state.interner.borrow().text(*n).to_owned();
    let next = tokens.get(bad)?;
    if let Some(Token {
        tok: Tok::Name(n),
        span,
    }) = bad.checked_sub(1).and_then(|i| tokens.get(i))
        && matches!(next.tok, Tok::Name(_) | Tok::Punct(Raw::Star))
        && !state.is_typedef(*n)
        && starts_declaration(tokens, bad - 1)
    {
        return Some((text(n), *span));
    }
    match (next.tok, failure) {
        (
            Tok::Name(n),
            ParseError::UnrecognizedToken {
                token: (_, Tok::Variable, _),
                ..
            },
        ) => Some((text(&n), next.span)),
        _ => None,
    }
}

fn starts_declaration(tokens: &[Token], at: usize) -> bool {
    at == 0
        || matches!(
            tokens[at - 1].tok,
            SEMI | LBRACE
                | RBRACE
                | Tok::Punct(Raw::LParen | Raw::Comma | Raw::Colon)
                | Tok::Kw(
                    Kw::Static
                        | Kw::Extern
                        | Kw::Const
                        | Kw::Typedef
                        | Kw::Register
                        | Kw::Volatile
                        | Kw::Inline
                )
        )
}

fn spell(state: &State, token: &Token) -> String {
    match token.tok {
        Tok::Name(n) => format!("'{}'", state.interner.borrow().text(n)),
        Tok::Int(_) | Tok::Float(_) => "numeric constant".into(),
        Tok::Char(_) => "character constant".into(),
        Tok::Str(_) => "string constant".into(),
        Tok::Attr(_) => "'__attribute__'".into(),
        Tok::Asm(_) => "'asm'".into(),
        Tok::Kw(kw) => format!("'{}'", kw.text()),
        Tok::Punct(raw) => format!("'{}'", raw.text()),
        Tok::Variable | Tok::Type => "identifier".into(),
    }
}
