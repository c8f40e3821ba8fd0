//! Tokenising one buffer: raw shapes to parser tokens.

use super::literal::{self, Encoding, StrLit};
use super::raw::Raw;
use super::token::{AsideId, Interner, Kw, StrId, Tok, Token};
use crate::diag::Diagnostics;
use crate::source::{BufferId, SourceMap, Span};
use cranelift_entity::PrimaryMap;
use logos::Logos;

/// The tokens of one translation unit.
#[derive(Debug, Default)]
pub struct TokenBuffer {
    /// The tokens, without the zero-width ones.
    pub tokens: Vec<Token>,
    /// String literals.
    pub strings: PrimaryMap<StrId, StrLit>,
    /// The insides of attributes (every `((...))` of a run, parentheses included) and of asm.
    pub asides: PrimaryMap<AsideId, Vec<Token>>,
    /// `#pragma weak name` and `#pragma weak name = target`.
    pub weak: Vec<(String, Option<String>)>,
    /// Position after the last byte.
    pub end: u32,
}

/// Tokenises a buffer. Line markers and `#pragma pack` go to the source map.
pub fn tokenize(
    sources: &mut SourceMap,
    buffer: BufferId,
    interner: &mut Interner,
    diags: &mut Diagnostics,
) -> TokenBuffer {
    let text = sources.text(buffer).to_vec();
    let base = sources.base(buffer);
    let out = TokenBuffer {
        end: base + text.len() as u32,
        ..TokenBuffer::default()
    };
    let mut lexer = Tokenizer {
        text: &text,
        base,
        buffer,
        sources,
        interner,
        diags,
        out,
        pack: Vec::new(),
        pack_now: None,
    };
    lexer.run();
    let mut out = lexer.out;
    set_aside(&mut out, diags);
    mark_enum_types(&mut out);
    out
}

struct Tokenizer<'a> {
    text: &'a [u8],
    base: u32,
    buffer: BufferId,
    sources: &'a mut SourceMap,
    interner: &'a mut Interner,
    diags: &'a mut Diagnostics,
    out: TokenBuffer,
    pack: Vec<Option<u8>>,
    pack_now: Option<u8>,
}

impl Tokenizer<'_> {
    fn run(&mut self) {
        let mut lexer = Raw::lexer(self.text);
        while let Some(raw) = lexer.next() {
            let range = lexer.span();
            let span = Span::new(self.base + range.start as u32, self.base + range.end as u32);
            let slice = &self.text[range.clone()];
            match raw {
                Ok(Raw::Directive) => self.directive(range.start, range.end, span),
                Ok(raw) => self.token(raw, slice, span),
                Err(()) => self.bad(slice, span),
            }
        }
    }

    fn bad(&mut self, slice: &[u8], span: Span) {
        let message = match slice.first() {
            Some(b'"') => "missing terminating \" character".to_owned(),
            Some(b'\'') => "missing terminating ' character".to_owned(),
            Some(b'/') => "unterminated comment".to_owned(),
            Some(c) if c.is_ascii_graphic() => format!("stray '{}' in program", char::from(*c)),
            Some(c) => format!("stray '\\{c:o}' in program"),
            None => return,
        };
        self.diags.error(span, message);
    }

    fn token(&mut self, raw: Raw, slice: &[u8], span: Span) {
        let tok = match raw {
            Raw::Ident => self.identifier(slice),
            Raw::Number => self.number(slice, span),
            Raw::Char => match literal::character(slice) {
                Ok(c) => Some(Tok::Char(c)),
                Err(e) => self.literal_error(span, e),
            },
            Raw::Str => return self.string(slice, span),
            punct => Some(Tok::Punct(punct)),
        };
        if let Some(tok) = tok {
            self.out.tokens.push(Token { tok, span });
        }
    }

    /// A bad constant is reported here and stands as zero for the parser.
    fn literal_error(&mut self, span: Span, message: String) -> Option<Tok> {
        self.diags.error(span, message);
        Some(Tok::Int(literal::IntLit {
            value: 0,
            unsigned: false,
            longs: 0,
            decimal: true,
        }))
    }

    fn identifier(&mut self, slice: &[u8]) -> Option<Tok> {
        let sym = self.interner.intern(&String::from_utf8_lossy(slice));
        match self.interner.keyword(sym) {
            // `__extension__` only silences warnings.
            Some(Kw::Extension) => None,
            Some(kw) => Some(Tok::Kw(kw)),
            None => Some(Tok::Name(sym)),
        }
    }

    fn number(&mut self, slice: &[u8], span: Span) -> Option<Tok> {
        let text = String::from_utf8_lossy(slice);
        if literal::is_float(&text) {
            return Some(Tok::Float(self.interner.intern(&text)));
        }
        match literal::integer(&text) {
            Ok(lit) => Some(Tok::Int(lit)),
            Err(e) => self.literal_error(span, e),
        }
    }

    fn string(&mut self, slice: &[u8], span: Span) {
        let lit = literal::string(slice).unwrap_or_else(|e| {
            self.diags.error(span, e);
            StrLit::default()
        });
        if let Some(Token {
            tok: Tok::Str(id),
            span: last,
        }) = self.out.tokens.last_mut()
        {
            let joined = &mut self.out.strings[*id];
            if joined.encoding == Encoding::Narrow {
                joined.encoding = lit.encoding;
            }
            joined.units.extend(lit.units);
            *last = last.to(span);
            return;
        }
        let id = self.out.strings.push(lit);
        self.out.tokens.push(Token {
            tok: Tok::Str(id),
            span,
        });
    }

    fn directive(&mut self, start: usize, end: usize, span: Span) {
        let line_start = self.text[..start]
            .iter()
            .rposition(|c| *c == b'\n')
            .map_or(0, |i| i + 1);
        if !self.text[line_start..start]
            .iter()
            .all(u8::is_ascii_whitespace)
        {
            self.diags
                .error(Span::new(span.lo, span.lo + 1), "stray '#' in program");
            return;
        }
        let line = String::from_utf8_lossy(&self.text[start + 1..end]).into_owned();
        let line = line.trim();
        let next = (end + 1).min(self.text.len()) as u32;
        if line.is_empty() || line.starts_with("ident") {
        } else if let Some(pragma) = line.strip_prefix("pragma") {
            self.pragma(pragma.trim(), next, span);
        } else if !self.line_marker(line.strip_prefix("line").unwrap_or(line).trim(), next) {
            let word = line.split_whitespace().next().unwrap_or(line);
            self.diags.error(
                span,
                format!("preprocessing directive '#{word}' in preprocessed text"),
            );
        }
    }

    fn line_marker(&mut self, line: &str, next: u32) -> bool {
        let digits = line
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(line.len());
        let Ok(number) = line[..digits].parse::<u32>() else {
            return false;
        };
        let rest = line[digits..].trim();
        let (file, flags) = match rest.strip_prefix('"').and_then(|r| r.rsplit_once('"')) {
            Some((name, flags)) => (
                Some(name.replace("\\\\", "\\").replace("\\\"", "\"")),
                flags,
            ),
            None => (None, ""),
        };
        let system = flags.split_whitespace().any(|f| f == "3");
        self.sources
            .mark_line(self.buffer, next, number, file.as_deref(), system);
        true
    }

    /// `pack(push)`, `pack(push, n)`, `pack(pop)`, `pack(n)`, `pack()`; identifiers are skipped.
    fn pragma(&mut self, text: &str, next: u32, span: Span) {
        let word = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        match word.into_iter().next() {
            Some("pack") => {}
            Some("weak") => {
                let names = text["weak".len()..].trim();
                let (name, target) = match names.split_once('=') {
                    Some((name, target)) => (name, Some(target.trim().to_owned())),
                    None => (names, None),
                };
                self.out.weak.push((name.trim().to_owned(), target));
                return;
            }
            // What else gcc gives a meaning to that changes the program's.
            Some(word @ ("scalar_storage_order" | "redefine_extname")) => {
                let message = format!("'#pragma {word}' is not supported");
                return self.diags.error(span, message);
            }
            _ => return,
        }
        let args = &text["pack".len()..];
        let args = args.trim().trim_start_matches('(').trim_end_matches(')');
        let mut number = None;
        let mut words = 0;
        for word in args.split(',').map(str::trim).filter(|w| !w.is_empty()) {
            words += 1;
            match word {
                "push" => self.pack.push(self.pack_now),
                "pop" => self.pack_now = self.pack.pop().unwrap_or(None),
                n => number = n.parse::<u8>().ok().or(number),
            }
        }
        match number {
            Some(n @ (1 | 2 | 4 | 8 | 16)) => self.pack_now = Some(n),
            Some(0) => self.pack_now = None,
            _ if words == 0 => self.pack_now = None,
            _ => {}
        }
        self.sources.mark_pack(self.buffer, next, self.pack_now);
    }
}

/// Folds runs of `__attribute__((...))` and each `asm ... (...)` into single tokens, and tells
/// `_Atomic (T)` from the qualifier `_Atomic`.
fn set_aside(buffer: &mut TokenBuffer, diags: &mut Diagnostics) {
    let special = |t: &Token| matches!(t.tok, Tok::Kw(Kw::Attribute | Kw::AsmKw | Kw::Atomic));
    let bracketed = |at: usize, tokens: &[Token]| {
        let open = Some(Tok::Punct(Raw::LBracket));
        tokens.get(at).map(|t| t.tok) == open && tokens.get(at + 1).map(|t| t.tok) == open
    };
    let tokens = &buffer.tokens;
    if !tokens.iter().any(special) && !(0..tokens.len()).any(|at| bracketed(at, tokens)) {
        return;
    }
    let old = std::mem::take(&mut buffer.tokens);
    let mut at = 0;
    while at < old.len() {
        let token = old[at];
        if bracketed(at, &old) {
            let close = closing_brackets(&old, at + 2);
            let inside = old[at + 2..close].to_vec();
            let end = (close + 2).min(old.len());
            let span = token.span.to(old[end - 1].span);
            push_attribute(buffer, inside, span);
            at = end;
            continue;
        }
        match token.tok {
            Tok::Kw(kw @ (Kw::Attribute | Kw::AsmKw)) => {
                let (inside, end) = parenthesised(&old, at + 1, kw);
                let Some(inside) = inside else {
                    diags.error(token.span, "expected '(' with a matching ')' here");
                    at = end;
                    continue;
                };
                let span = token.span.to(old[end - 1].span);
                at = end;
                if kw == Kw::Attribute {
                    push_attribute(buffer, inside, span);
                } else {
                    let tok = Tok::Asm(buffer.asides.push(inside));
                    buffer.tokens.push(Token { tok, span });
                }
            }
            Tok::Kw(Kw::Atomic)
                if old
                    .get(at + 1)
                    .is_some_and(|t| t.tok == Tok::Punct(Raw::LParen)) =>
            {
                buffer.tokens.push(Token {
                    tok: Tok::Kw(Kw::AtomicOf),
                    span: token.span,
                });
                at += 1;
            }
            _ => {
                buffer.tokens.push(token);
                at += 1;
            }
        }
    }
}

/// Tells the colon before the type of an enumeration from that of a bit-field, a type and a brace follow, and puts the
/// type in parentheses.
fn mark_enum_types(buffer: &mut TokenBuffer) {
    let is_word = |t: &&Token| matches!(t.tok, Tok::Kw(_) | Tok::Name(_));
    let mut at = 0;
    while at < buffer.tokens.len() {
        let tokens = &buffer.tokens;
        at += 1;
        if tokens[at - 1].tok != Tok::Kw(Kw::Enum) {
            continue;
        }
        let before = |t: &&Token| matches!(t.tok, Tok::Attr(_) | Tok::Name(_));
        let colon = at + tokens[at..].iter().take_while(before).count();
        if tokens.get(colon).map(|t| t.tok) != Some(Tok::Punct(Raw::Colon)) {
            continue;
        }
        let words = tokens[colon + 1..].iter().take_while(is_word).count();
        let brace = colon + 1 + words;
        if words == 0 || tokens.get(brace).map(|t| t.tok) != Some(Tok::Punct(Raw::LBrace)) {
            continue;
        }
        let paren = |raw, span| Token {
            tok: Tok::Punct(raw),
            span,
        };
        let (open, close) = (tokens[colon].span, tokens[brace].span);
        buffer.tokens[colon].tok = Tok::Kw(Kw::EnumOf);
        buffer.tokens.insert(brace, paren(Raw::RParen, close));
        buffer.tokens.insert(colon + 1, paren(Raw::LParen, open));
    }
}

/// One more attribute; those that follow each other are one token.
fn push_attribute(buffer: &mut TokenBuffer, inside: Vec<Token>, span: Span) {
    if let Some(Token {
        tok: Tok::Attr(id),
        span: last,
    }) = buffer.tokens.last_mut()
    {
        buffer.asides[*id].extend(inside);
        *last = last.to(span);
        return;
    }
    let tok = Tok::Attr(buffer.asides.push(inside));
    buffer.tokens.push(Token { tok, span });
}

/// Where the `]]` is that closes a C23 attribute whose inside starts at `from`.
fn closing_brackets(tokens: &[Token], from: usize) -> usize {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(from) {
        match token.tok {
            Tok::Punct(Raw::LBracket) => depth += 1,
            Tok::Punct(Raw::RBracket) if depth == 0 => return i,
            Tok::Punct(Raw::RBracket) => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

/// The balanced parentheses at or (for asm) after qualifiers from `at`, and the index after them.
fn parenthesised(tokens: &[Token], at: usize, kw: Kw) -> (Option<Vec<Token>>, usize) {
    let mut start = at;
    if kw == Kw::AsmKw {
        while tokens.get(start).is_some_and(|t| {
            matches!(
                t.tok,
                Tok::Kw(Kw::Volatile | Kw::Goto | Kw::Inline | Kw::Const)
            )
        }) {
            start += 1;
        }
    }
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(start) {
        match token.tok {
            Tok::Punct(Raw::LParen) => depth += 1,
            Tok::Punct(Raw::RParen) => depth = depth.saturating_sub(1),
            _ if depth == 0 => break,
            _ => {}
        }
        if depth == 0 {
            return (Some(tokens[start..=i].to_vec()), i + 1);
        }
    }
    (None, start)
}
