//! Calls that print into memory, or scan, by a format that is a literal: one call of a model for each conversion.
//!
//! `snprintf(to, n, "%d-%s", a, b)` becomes `printed(string(chars(signed(into(to, n), a), "-"), b))` of
//! `library/print.c`, so that no loop reads the format and no list of arguments is laid down. The arguments are
//! evaluated from right to left, as gcc does, and before anything is printed. A call that is not understood stays
//! what it is: `library/format.c` reads its format when the program runs, or it is incomplete.

use super::Sema;
use crate::hir::{self, ExprKind as H};
use crate::source::Span;
use crate::types::{FloatKind, IntKind, Ty, TyKind};

/// Where the text goes or comes from.
#[derive(Clone, Copy)]
enum Mode {
    /// To so many bytes (by position) at the first argument, or to any number.
    Into(Option<usize>),
    /// To a block of its own, whose address the first argument gets.
    Block,
    /// From the string that is the first argument.
    String,
    /// From the stream that is the first argument.
    Stream,
    /// From standard input.
    Input,
}

/// The functions, each with the position of its format. Sorted.
const FAMILY: &[(&str, Mode, usize)] = &[
    ("__asprintf_chk", Mode::Block, 2),
    ("__isoc23_fscanf", Mode::Stream, 1),
    ("__isoc23_scanf", Mode::Input, 0),
    ("__isoc23_sscanf", Mode::String, 1),
    ("__isoc99_fscanf", Mode::Stream, 1),
    ("__isoc99_scanf", Mode::Input, 0),
    ("__isoc99_sscanf", Mode::String, 1),
    ("__snprintf_chk", Mode::Into(Some(1)), 4),
    ("__sprintf_chk", Mode::Into(None), 3),
    ("asprintf", Mode::Block, 1),
    ("fscanf", Mode::Stream, 1),
    ("scanf", Mode::Input, 0),
    ("snprintf", Mode::Into(Some(1)), 2),
    ("sprintf", Mode::Into(None), 1),
    ("sscanf", Mode::String, 1),
];

/// The names by which the program says that it needs the models of this module.
pub fn family() -> impl Iterator<Item = &'static str> {
    FAMILY.iter().map(|(name, ..)| *name)
}

/// A width or precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    None,
    Fixed(i32),
    /// `*`: an argument when printing, no place for the value when scanning.
    Star,
}

/// The length of an integer: its bytes on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    Plain,
    Char,
    Short,
    Long,
    LongLong,
    /// `z`, `t`: as long as a pointer.
    Word,
    /// `L`
    LongDouble,
}

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Chars(Vec<u8>),
    /// Any blanks, when scanning.
    Space,
    Conversion {
        flags: i32,
        width: Number,
        precision: Number,
        length: Length,
        letter: u8,
        /// What `%[...]` lets through.
        set: [u64; 4],
    },
}

/// What `library/print.c` has to know of the letter of a conversion.
fn letter_flags(letter: u8) -> i32 {
    let upper = if letter.is_ascii_uppercase() { 32 } else { 0 };
    upper
        | match letter {
            b'e' | b'E' => 64,
            b'g' | b'G' => 128,
            b'a' | b'A' => 256,
            _ => 0,
        }
}

/// The parts of a format; `None` where it is not understood.
fn pieces(format: &[u8], scans: bool) -> Option<Vec<Piece>> {
    let mut found = Vec::new();
    let mut chars = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(c) = rest.next() {
        if scans && c.is_ascii_whitespace() {
            if !chars.is_empty() {
                found.push(Piece::Chars(std::mem::take(&mut chars)));
            }
            found.push(Piece::Space);
            continue;
        }
        if c != b'%' {
            chars.push(c);
            continue;
        }
        if rest.next_if_eq(&b'%').is_some() {
            if scans {
                // Blanks before it are skipped.
                return None;
            }
            chars.push(b'%');
            continue;
        }
        if !chars.is_empty() {
            found.push(Piece::Chars(std::mem::take(&mut chars)));
        }
        let mut flags = 0;
        while !scans
            && let Some(at) = rest
                .peek()
                .and_then(|c| b"-+ #0".iter().position(|f| f == c))
        {
            flags |= 1 << at;
            rest.next();
        }
        let width = number(&mut rest)?;
        if scans && width == Number::Star && rest.peek().is_some_and(u8::is_ascii_digit) {
            return None;
        }
        let precision = match rest.next_if_eq(&b'.') {
            Some(_) if scans => return None,
            Some(_) => match number(&mut rest)? {
                Number::None => Number::Fixed(0),
                given => given,
            },
            None => Number::None,
        };
        let length = match rest.peek() {
            Some(b'h') => {
                rest.next();
                match rest.next_if_eq(&b'h') {
                    Some(_) => Length::Char,
                    None => Length::Short,
                }
            }
            Some(b'l') => {
                rest.next();
                match rest.next_if_eq(&b'l') {
                    Some(_) => Length::LongLong,
                    None => Length::Long,
                }
            }
            Some(b'j') => {
                rest.next();
                Length::LongLong
            }
            Some(b'z' | b't') => {
                rest.next();
                Length::Word
            }
            Some(b'L') => {
                rest.next();
                Length::LongDouble
            }
            _ => Length::Plain,
        };
        let letter = rest.next()?;
        let mut set = [0; 4];
        if letter == b'[' {
            if !scans {
                return None;
            }
            set = members(&mut rest)?;
        }
        found.push(Piece::Conversion {
            flags,
            width,
            precision,
            length,
            letter,
            set,
        });
    }
    if !chars.is_empty() {
        found.push(Piece::Chars(chars));
    }
    Some(found)
}

type Rest<'a> = std::iter::Peekable<std::iter::Copied<std::slice::Iter<'a, u8>>>;

fn number(rest: &mut Rest<'_>) -> Option<Number> {
    if rest.next_if_eq(&b'*').is_some() {
        return Some(Number::Star);
    }
    let mut value: Option<i32> = None;
    while let Some(d) = rest.next_if(u8::is_ascii_digit) {
        let digit = i32::from(d - b'0');
        value = Some(value.unwrap_or(0).checked_mul(10)?.checked_add(digit)?);
    }
    Some(value.map_or(Number::None, Number::Fixed))
}

/// The members of a set behind its bracket.
fn members(rest: &mut Rest<'_>) -> Option<[u64; 4]> {
    let negated = rest.next_if_eq(&b'^').is_some();
    let mut listed = Vec::new();
    loop {
        match rest.next()? {
            b']' if !listed.is_empty() => break,
            c => listed.push(c),
        }
    }
    let mut set = [0u64; 4];
    let mut add = |c: u8| set[usize::from(c / 64)] |= 1 << (c % 64);
    let mut i = 0;
    while i < listed.len() {
        match listed[i..] {
            [low, b'-', high, ..] if low <= high => {
                (low..=high).for_each(&mut add);
                i += 3;
            }
            [c, ..] => {
                add(c);
                i += 1;
            }
            [] => break,
        }
    }
    if negated {
        set = set.map(|bits| !bits);
    }
    // A string ends with it.
    set[0] &= !1;
    Some(set)
}

impl Sema<'_> {
    /// Expands the calls of all units.
    pub(super) fn expand_formats(&mut self) {
        let calls: Vec<hir::Expr> = (self.hir.exprs.iter())
            .filter(|(_, e)| matches!(e.kind, H::Call { .. }))
            .map(|(e, _)| e)
            .collect();
        for e in calls {
            if let Some(kind) = self.expanded(e) {
                self.hir.exprs[e].kind = kind;
            }
        }
    }

    fn expanded(&mut self, e: hir::Expr) -> Option<H> {
        let H::Call { callee, args } = &self.hir.exprs[e].kind else {
            return None;
        };
        let (callee, args) = (*callee, args.clone());
        let H::FuncAddr(f) = self.hir.exprs[callee].kind else {
            return None;
        };
        let data = &self.hir.funcs[f];
        let name = data.name.strip_prefix("__builtin_").unwrap_or(&data.name);
        let at = FAMILY.binary_search_by_key(&name, |(n, ..)| n).ok()?;
        let (_, mode, at) = FAMILY[at];
        let types = &self.hir.types;
        let ty = types.function_of(data.ty)?;
        // A function of the program's own may have a name of the library.
        let fits = data.body.is_none()
            && ty.variadic
            && ty.ret.ty == types.int
            && ty.params.len() == at + 1
            && types.is_pointer(ty.params[at].ty)
            && (at == 0 || types.is_pointer(ty.params[0].ty));
        let mut format = *args.get(at).filter(|_| fits)?;
        while let H::Cast(inner) | H::Decay(inner) = self.hir.exprs[format].kind {
            format = inner;
        }
        let H::Str(text) = self.hir.exprs[format].kind else {
            return None;
        };
        let text = &self.hir.strings[text];
        if types.size_of(text.elem) != Some(1) {
            return None;
        }
        let bytes = text.units.iter().map(|u| *u as u8);
        let bytes: Vec<u8> = bytes.take_while(|b| *b != 0).collect();
        let scans = matches!(mode, Mode::String | Mode::Stream | Mode::Input);
        let pieces = pieces(&bytes, scans)?;
        let span = self.hir.exprs[e].span;
        let first = args[0];
        let mut state = match mode {
            Mode::Into(room) => {
                let size = self.hir.types.size_t();
                let room = match room {
                    Some(i) => args[i],
                    None => {
                        let most = self.int_expr(-1, self.hir.types.int, span);
                        self.convert(most, size)
                    }
                };
                self.model("__library_print_into", "psz", &[first, room], span)
            }
            Mode::Block => self.model("__library_print_block", "p*s", &[first], span),
            Mode::String => self.model("__library_scan_string", "ps", &[first], span),
            Mode::Stream => self.model("__library_scan_stream", "pp", &[first], span),
            Mode::Input => self.model("__library_scan_input", "p", &[], span),
        };
        let mut values = args[at + 1..].iter().copied();
        for piece in pieces {
            state = match scans {
                true => self.scanned(state, &piece, &mut values, span)?,
                false => self.printed(state, &piece, &mut values, span)?,
            };
        }
        // More arguments than conversions are evaluated and ignored; that is left to the general case.
        if values.next().is_some() {
            return None;
        }
        let end = match scans {
            true => "__library_scanned",
            false => "__library_printed",
        };
        let call = self.model(end, "ip", &[state], span);
        let kind = self.hir.exprs[call].kind.clone();
        // Nobody calls the function itself here any more, so that it needs no body.
        if let H::Call { callee: new, .. } = kind {
            self.hir.exprs[callee] = self.hir.exprs[new].clone();
        }
        Some(kind)
    }

    /// A call of a model.
    fn model(&mut self, name: &str, signature: &str, args: &[hir::Expr], span: Span) -> hir::Expr {
        let ty = self.type_of_signature(signature);
        let f = self.declare_builtin(name, ty, span);
        let shape = self.hir.types.function_of(ty).cloned();
        let Some(shape) = shape else {
            return self.error_expr(span);
        };
        let args = args.iter().zip(&shape.params);
        let args: Vec<hir::Expr> = args.map(|(a, to)| self.convert(*a, to.ty)).collect();
        let pointer = self.hir.types.pointer(ty.into());
        let callee = self.push_expr(H::FuncAddr(f), pointer, span);
        self.push_expr(H::Call { callee, args }, shape.ret.ty, span)
    }

    /// Up to eight characters a call.
    fn plain(&mut self, model: &str, mut state: hir::Expr, chars: &[u8], span: Span) -> hir::Expr {
        let word = self.hir.types.int_ty(IntKind::ULLong);
        for some in chars.chunks(8) {
            let packed = some
                .iter()
                .rev()
                .fold(0, |bits, c| bits << 8 | i128::from(*c));
            let packed = self.int_expr(packed, word, span);
            let n = self.int_expr(some.len() as i128, self.hir.types.int, span);
            state = self.model(model, "ppXi", &[state, packed, n], span);
        }
        state
    }

    fn printed(
        &mut self,
        state: hir::Expr,
        piece: &Piece,
        values: &mut impl Iterator<Item = hir::Expr>,
        span: Span,
    ) -> Option<hir::Expr> {
        let int = self.hir.types.int;
        let (flags, width, precision, length, letter) = match piece {
            Piece::Chars(chars) => {
                return Some(self.plain("__library_print_chars", state, chars, span));
            }
            Piece::Space => return None,
            Piece::Conversion {
                flags,
                width,
                precision,
                length,
                letter,
                ..
            } => (*flags, *width, *precision, *length, *letter),
        };
        let mut given = |this: &mut Self, n: Number, none: i128| match n {
            Number::None => Some(this.int_expr(none, int, span)),
            Number::Fixed(n) => Some(this.int_expr(i128::from(n), int, span)),
            Number::Star => values.next().filter(|e| this.hir.ty(*e) == int),
        };
        let width = given(self, width, 0)?;
        let precision = given(self, precision, -1)?;
        let value = values.next()?;
        let ty = self.hir.ty(value);
        let flags = flags | letter_flags(letter);
        let flags = self.int_expr(i128::from(flags), int, span);
        let shape = [flags, width, precision];
        let all = |value| [&[state, value], &shape[..]].concat();
        let types = &self.hir.types;
        let signed = matches!(letter, b'd' | b'i');
        match letter {
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => {
                let to = self.integer(length, signed)?;
                // What is passed is as wide as int at least.
                let passed = self.hir.types.size_of(to)?.max(4);
                if !self.hir.types.is_integer(ty) || self.hir.types.size_of(ty) != Some(passed) {
                    return None;
                }
                let value = self.convert(value, to);
                let model = match letter {
                    b'u' => "__library_print_decimal",
                    b'o' => "__library_print_octal",
                    b'x' | b'X' => "__library_print_hexadecimal",
                    _ => "__library_print_signed",
                };
                let signature = if signed { "ppLiii" } else { "ppXiii" };
                Some(self.model(model, signature, &all(value), span))
            }
            b'c' if length == Length::Plain && types.is_integer(ty) => {
                let args = [state, value, flags, width];
                Some(self.model("__library_print_char", "ppiii", &args, span))
            }
            b's' if length == Length::Plain && types.is_pointer(ty) => {
                Some(self.model("__library_print_string", "ppsiii", &all(value), span))
            }
            b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G'
                if ty == types.double && matches!(length, Length::Plain | Length::Long) =>
            {
                Some(self.model("__library_print_double", "ppdiii", &all(value), span))
            }
            b'n' if length == Length::Plain && self.leads_to(ty, 4) => {
                Some(self.model("__library_print_count", "ppp", &[state, value], span))
            }
            _ => None,
        }
    }

    fn scanned(
        &mut self,
        state: hir::Expr,
        piece: &Piece,
        values: &mut impl Iterator<Item = hir::Expr>,
        span: Span,
    ) -> Option<hir::Expr> {
        let int = self.hir.types.int;
        let (width, length, letter, set) = match piece {
            Piece::Chars(chars) => {
                return Some(self.plain("__library_scan_chars", state, chars, span));
            }
            Piece::Space => return Some(self.model("__library_scan_space", "pp", &[state], span)),
            Piece::Conversion {
                width,
                length,
                letter,
                set,
                ..
            } => (*width, *length, *letter, *set),
        };
        let (to, width) = match width {
            Number::Star => {
                let null = self.int_expr(0, int, span);
                (self.convert(null, self.hir.types.void_ptr), 0)
            }
            Number::Fixed(n) => (values.next()?, n),
            Number::None => (values.next()?, 0),
        };
        let kept = !matches!(
            piece,
            Piece::Conversion {
                width: Number::Star,
                ..
            }
        );
        let ty = self.hir.ty(to);
        let number = |this: &mut Self, n: i128| this.int_expr(n, int, span);
        let width = number(self, i128::from(width));
        match letter {
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => {
                let signed = matches!(letter, b'd' | b'i');
                let wanted = self.integer(length, signed)?;
                let bytes = self.hir.types.size_of(wanted)?;
                if kept && !self.leads_to(ty, bytes) {
                    return None;
                }
                let word = u64::from(self.hir.types.pointer_bits() / 8);
                let model = match bytes {
                    1 => "__library_scan_byte",
                    2 => "__library_scan_short",
                    _ if bytes == word => "__library_scan_long",
                    4 => "__library_scan_int",
                    _ => return None,
                };
                let base = match letter {
                    b'i' => 0,
                    b'o' => 8,
                    b'x' | b'X' => 16,
                    _ => 10,
                };
                let base = number(self, base);
                let signed = number(self, i128::from(signed));
                let args = [state, to, base, width, signed];
                Some(self.model(model, "pppiii", &args, span))
            }
            b's' if length == Length::Plain && (!kept || self.leads_to(ty, 1)) => {
                Some(self.model("__library_scan_word", "pppi", &[state, to, width], span))
            }
            b'c' if length == Length::Plain && (!kept || self.leads_to(ty, 1)) => {
                Some(self.model("__library_scan_raw", "pppi", &[state, to, width], span))
            }
            b'[' if length == Length::Plain && (!kept || self.leads_to(ty, 1)) => {
                let word = self.hir.types.int_ty(IntKind::ULLong);
                let mut args = vec![state, to, width];
                for bits in set {
                    args.push(self.int_expr(i128::from(bits), word, span));
                }
                Some(self.model("__library_scan_set", "pppiXXXX", &args, span))
            }
            b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => {
                let (kind, model) = match length {
                    Length::Plain => (FloatKind::Float, "__library_scan_float"),
                    Length::Long => (FloatKind::Double, "__library_scan_double"),
                    _ => return None,
                };
                let wanted = TyKind::Float(kind);
                let pointee = self.hir.types.pointee(ty);
                let right = pointee.is_some_and(|p| *self.hir.types.kind(p.ty) == wanted);
                (!kept || right).then(|| self.model(model, "ppp", &[state, to], span))
            }
            b'n' if length == Length::Plain && kept && self.leads_to(ty, 4) => {
                Some(self.model("__library_scan_count", "ppp", &[state, to], span))
            }
            _ => None,
        }
    }

    /// Whether a type is a pointer to something of so many bytes.
    fn leads_to(&self, ty: Ty, bytes: u64) -> bool {
        let to = self.hir.types.pointee(ty);
        to.is_some_and(|to| {
            self.hir.types.size_of(to.ty) == Some(bytes) && !self.hir.types.is_record(to.ty)
        })
    }

    /// The integer type of a length.
    fn integer(&mut self, length: Length, signed: bool) -> Option<Ty> {
        let kind = match (length, signed) {
            (Length::Plain, true) => IntKind::Int,
            (Length::Plain, false) => IntKind::UInt,
            (Length::Char, true) => IntKind::SChar,
            (Length::Char, false) => IntKind::UChar,
            (Length::Short, true) => IntKind::Short,
            (Length::Short, false) => IntKind::UShort,
            (Length::Long | Length::Word, true) => IntKind::Long,
            (Length::Long | Length::Word, false) => IntKind::ULong,
            (Length::LongLong, true) => IntKind::LLong,
            (Length::LongLong, false) => IntKind::ULLong,
            (Length::LongDouble, _) => return None,
        };
        Some(self.hir.types.int_ty(kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(FAMILY.is_sorted_by_key(|(name, ..)| *name));
    }

    #[test]
    fn formats_are_taken_apart() {
        let shown = |format: &str, scans| {
            let all = pieces(format.as_bytes(), scans)?;
            let one = |p: Piece| match p {
                Piece::Chars(c) => format!("{:?}", String::from_utf8_lossy(&c)),
                Piece::Space => "space".into(),
                Piece::Conversion {
                    flags,
                    width,
                    precision,
                    length,
                    letter,
                    ..
                } => format!(
                    "{flags} {width:?} {precision:?} {length:?} {}",
                    letter as char
                ),
            };
            Some(all.into_iter().map(one).collect::<Vec<_>>())
        };
        let some = |texts: &[&str]| Some(texts.iter().map(|t| (*t).to_owned()).collect());
        let format = "a%%b%-05.3ld%*.*s";
        let parts = [
            "\"a%b\"",
            "17 Fixed(5) Fixed(3) Long d",
            "0 Star Star Plain s",
        ];
        assert_eq!(shown(format, false), some(&parts));
        let format = "%d, %*5s";
        assert_eq!(shown(format, true), None);
        let format = "%3hhd ,%*s";
        let parts = [
            "0 Fixed(3) None Char d",
            "space",
            "\",\"",
            "0 Star None Plain s",
        ];
        assert_eq!(shown(format, true), some(&parts));
        assert_eq!(shown("%", false), None);
    }

    #[test]
    fn sets_have_ranges() {
        let set = |text: &str| {
            let all = pieces(text.as_bytes(), true)?;
            match all.into_iter().next()? {
                Piece::Conversion { set, .. } => Some(set),
                _ => None,
            }
        };
        assert_eq!(set("%[a-c]"), Some([0, 0b111 << 33, 0, 0]));
        assert_eq!(set("%[]]"), Some([0, 1 << 29, 0, 0]));
        let not = set("%[^a]").expect("a set");
        assert_eq!(not, [!1, !(1 << 33), !0, !0]);
    }
}
