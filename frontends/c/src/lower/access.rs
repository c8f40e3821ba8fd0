//! Library calls as accesses: what a function without a model reads or writes through its arguments must be there.
//!
//! A row of the table says what a function does with its arguments; the checks are a small vocabulary that models use
//! too. Streams are objects whose content nobody sees: `fopen` makes one or fails, `fclose` ends its life, and the three
//! standard ones are alive from the start.

use super::fault::Fault;
use super::{Lowerer, memory};
use crate::hir::{self, ExprKind as H};
use crate::types::Ty;
use trellis_ivl::{Span, Term, Type};

/// What a function does with its arguments, by position.
#[derive(Clone, Copy)]
enum Access {
    /// Reads a string.
    String(usize),
    /// Reads a format and the strings that it names; values follow the last parameter.
    Format(usize),
    /// Uses an open stream.
    Stream(usize),
    /// Reads as many bytes as the product of arguments says.
    Reads(usize, &'static [usize]),
    /// Writes so many.
    Writes(usize, &'static [usize]),
    /// Uses an open stream, or all of them where it is null.
    StreamOrAll(usize),
    /// Ends the life of a stream.
    Closes(usize),
    /// The result is a new stream, or null.
    Opens,
}

use Access::{Closes, Format, Opens, Reads, Stream, StreamOrAll, String as Text, Writes};

/// Functions of the C library by name; those with a model in C check what they access themselves. Sorted.
const TABLE: &[(&str, &[Access])] = &[
    ("_IO_getc", &[Stream(0)]),
    ("_IO_putc", &[Stream(1)]),
    ("access", &[Text(0)]),
    ("atof", &[Text(0)]),
    ("chdir", &[Text(0)]),
    ("chmod", &[Text(0)]),
    ("chown", &[Text(0)]),
    ("clearerr", &[Stream(0)]),
    ("creat", &[Text(0)]),
    ("fclose", &[Closes(0)]),
    ("fdopen", &[Text(1), Opens]),
    ("feof", &[Stream(0)]),
    ("ferror", &[Stream(0)]),
    ("fflush", &[StreamOrAll(0)]),
    ("fgetc", &[Stream(0)]),
    ("fileno", &[Stream(0)]),
    ("fopen", &[Text(0), Text(1), Opens]),
    ("fopen64", &[Text(0), Text(1), Opens]),
    ("fprintf", &[Stream(0), Format(1)]),
    ("fputc", &[Stream(1)]),
    ("fputs", &[Text(0), Stream(1)]),
    ("fseek", &[Stream(0)]),
    ("ftell", &[Stream(0)]),
    ("fwrite", &[Stream(3), Reads(0, &[1, 2])]),
    ("getc", &[Stream(0)]),
    ("gethostname", &[Writes(0, &[1])]),
    ("link", &[Text(0), Text(1)]),
    ("mkdir", &[Text(0)]),
    ("open", &[Text(0)]),
    ("openat", &[Text(1)]),
    ("pclose", &[Closes(0)]),
    ("popen", &[Text(0), Text(1), Opens]),
    ("pread", &[Writes(1, &[2])]),
    ("printf", &[Format(0)]),
    ("putc", &[Stream(1)]),
    ("puts", &[Text(0)]),
    ("pwrite", &[Reads(1, &[2])]),
    ("recv", &[Writes(1, &[2])]),
    ("remove", &[Text(0)]),
    ("rename", &[Text(0), Text(1)]),
    ("rewind", &[Stream(0)]),
    ("rmdir", &[Text(0)]),
    ("send", &[Reads(1, &[2])]),
    ("strtod", &[Text(0)]),
    ("symlink", &[Text(0), Text(1)]),
    ("tmpfile", &[Opens]),
    ("ungetc", &[Stream(1)]),
    ("unlink", &[Text(0)]),
    ("vfprintf", &[Stream(0), Text(1)]),
    ("vprintf", &[Text(0)]),
    ("write", &[Reads(1, &[2])]),
];

/// What a function is known to access; with the names of gcc's builtins.
fn accesses(name: &str) -> Option<&'static [Access]> {
    let base = name.strip_prefix("__builtin_").unwrap_or(name);
    let base = base.strip_prefix("__isoc99_").unwrap_or(base);
    let base = base.strip_prefix("__isoc23_").unwrap_or(base);
    let at = TABLE.binary_search_by_key(&base, |(name, _)| name).ok()?;
    Some(TABLE[at].1)
}

/// Whether it is known what a function reads and writes through its arguments.
pub fn is_known(name: &str) -> bool {
    accesses(name).is_some()
}

/// The variables of the C library that hold the standard streams.
pub fn is_standard_stream(name: &str) -> bool {
    matches!(name, "stdin" | "stdout" | "stderr")
}

impl Lowerer<'_> {
    /// Evaluates the arguments of a library function without a model and checks what it accesses. The result where it
    /// opens a stream.
    pub(super) fn library_accesses(
        &mut self,
        e: hir::Expr,
        f: hir::Func,
        args: &[hir::Expr],
        ret: Ty,
    ) -> Option<Term> {
        let hir = self.hir;
        let name = hir.funcs[f].name.as_str();
        let known = accesses(name).filter(|_| self.props.valid_deref);
        let Some(known) = known else {
            // Nothing looks at the arguments, so that strings in them need no memory.
            for arg in args.iter().rev() {
                self.effect(*arg);
            }
            if args.iter().any(|a| hir.types.is_pointer(hir.ty(*a))) {
                self.mark_reached_set();
            }
            return None;
        };
        let values = self.arguments(args);
        self.classify_call(e, args);
        let mut opened = None;
        for access in known {
            match *access {
                Text(i) => self.check_string_argument(args, &values, i, None),
                Format(i) => self.check_format(args, &values, i),
                Stream(i) | Closes(i) | StreamOrAll(i) => self.check_stream(&values, i, access),
                Reads(i, size) | Writes(i, size) => {
                    let write = matches!(access, Writes(..));
                    self.check_block_argument(&values, i, size, write);
                    if matches!(access, Writes(..)) {
                        self.mark_reached_set();
                    }
                }
                Opens => opened = Some(self.open_stream(name, ret)),
            }
        }
        if opened.is_some() {
            self.set_errno();
        }
        opened
    }

    /// Checks that a string is there up to its end, or up to a limit.
    pub(super) fn check_readable_string(&mut self, class: u32, text: Term, limit: Option<Term>) {
        if self.props.valid_deref && !self.is_outside(class) {
            let text = self.save(text);
            self.length(class, text, limit);
        }
    }

    /// A pointer argument as an address with its class.
    fn address_argument(&mut self, values: &[(Term, Ty)], i: usize) -> Option<(u32, Term)> {
        let (value, ty) = *values.get(i)?;
        let address = self.hir.types.is_pointer(ty);
        let class = self.arg_classes.get(i).copied().unwrap_or(0);
        address.then_some((class, value))
    }

    fn check_string_argument(
        &mut self,
        args: &[hir::Expr],
        values: &[(Term, Ty)],
        i: usize,
        limit: Option<Term>,
    ) {
        let literal = args.get(i).is_some_and(|a| self.literal(*a).is_some());
        if !literal && let Some((class, text)) = self.address_argument(values, i) {
            self.check_readable_string(class, text, limit);
        }
    }

    /// The string literal that an expression is.
    pub(super) fn literal(&self, mut e: hir::Expr) -> Option<hir::Str> {
        loop {
            match self.hir.exprs[e].kind {
                H::Cast(inner) | H::Decay(inner) => e = inner,
                H::Str(text) => return Some(text),
                _ => return None,
            }
        }
    }

    /// A format is a string; one that is known says which values are strings too.
    fn check_format(&mut self, args: &[hir::Expr], values: &[(Term, Ty)], i: usize) {
        self.check_string_argument(args, values, i, None);
        let Some(text) = args.get(i).and_then(|a| self.literal(*a)) else {
            return;
        };
        let mut next = i + 1;
        for conversion in conversions(&self.string_bytes(text)) {
            let mut limit = match conversion.precision {
                Precision::Fixed(n) => Some(self.ptr_const(n)),
                _ => None,
            };
            next += usize::from(conversion.width_given);
            if conversion.precision == Precision::Given {
                let given = values.get(next).copied();
                next += 1;
                limit = given.map(|(n, ty)| {
                    let signed = self.hir.types.is_signed(ty);
                    // A negative one counts as none: as an unsigned number it is no limit.
                    self.resize(n, self.ptr, signed)
                });
            }
            if conversion.letter == b'm' {
                // The text of errno.
                continue;
            }
            let given = values.get(next).map(|(_, ty)| *ty);
            if !given.is_some_and(|ty| self.may_print(conversion.letter, ty)) {
                self.incomplete("a format that does not fit its arguments");
            }
            match conversion.letter {
                b's' if !conversion.wide => self.check_string_argument(args, values, next, limit),
                b'n' => self.incomplete("a format with '%n'"),
                _ => {}
            }
            next += 1;
        }
    }

    /// Whether a value may be printed by a conversion: integers are all one, and so are pointers.
    fn may_print(&self, letter: u8, ty: Ty) -> bool {
        let types = &self.hir.types;
        match letter {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b'C' => {
                types.is_integer(ty) || types.is_pointer(ty)
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => types.is_floating(ty),
            b's' | b'S' | b'n' => types.is_pointer(ty),
            _ => true,
        }
    }

    fn check_block_argument(
        &mut self,
        values: &[(Term, Ty)],
        i: usize,
        size: &[usize],
        write: bool,
    ) {
        let Some((_, address)) = self.address_argument(values, i) else {
            return;
        };
        let mut bytes = self.ptr_const(1);
        for at in size {
            let Some((n, ty)) = values.get(*at).copied() else {
                return;
            };
            let signed = self.hir.types.is_signed(ty);
            let n = self.resize(n, self.ptr, signed);
            bytes = self.p.pool.bvmul(bytes, n);
        }
        if write {
            self.check_range_write(address, bytes);
        } else {
            self.check_range(address, bytes);
        }
    }

    // Streams.

    fn check_stream(&mut self, values: &[(Term, Ty)], i: usize, access: &Access) {
        let Some((_, stream)) = self.address_argument(values, i) else {
            return;
        };
        let stream = self.save(stream);
        if matches!(access, StreamOrAll(_)) {
            let one = self.ptr_const(1);
            let open = self.accessible(stream, one, false);
            let null = self.ptr_const(0);
            let all = self.p.pool.eq(stream, null);
            let ok = self.p.pool.or(all, open);
            self.about(Fault::Access {
                address: stream,
                bytes: one,
                write: false,
            });
            self.check(ok, "valid-deref");
        } else {
            self.check_access(stream, 1);
        }
        if matches!(access, Closes(_)) && self.live() {
            self.set_slot(stream, memory::DEAD, None);
        }
    }

    fn open_stream(&mut self, name: &str, ret: Ty) -> Term {
        let base = self.temp(Type::Bv(self.ptr));
        let fails = self.temp(Type::Bv(1));
        self.havoc(fails, &format!("{name} fails"));
        let fails = self.p.pool.var(fails);
        let fails = self.p.pool.bv_to_bool(fails);
        let (failed, done) = self.branch(fails);
        self.resume(failed);
        let null = self.ptr_const(0);
        self.assign(base, null);
        let failed = self.end_arm();
        self.resume(done);
        let size = self.ptr_const(STREAM_BYTES);
        self.allocate(base, size, false);
        let done = self.end_arm();
        self.join(failed, done);
        let stream = self.p.pool.var(base);
        let bits = self.bits(ret);
        self.resize(stream, bits, false)
    }

    /// The standard streams are open when the program begins; other variables that are defined elsewhere hold anything.
    pub(super) fn provide_stream(&mut self, var: hir::Var) {
        let hir = self.hir;
        let data = &hir.vars[var];
        let standard = is_standard_stream(&data.name);
        if !standard || !hir.types.is_pointer(data.ty.ty) || !self.props.valid_deref {
            return;
        }
        let base = self.static_slot(&format!("&{}", data.name), STREAM_BYTES, false, Span::NONE);
        let checks = std::mem::replace(&mut self.props.valid_deref, false);
        let place = self.var_place(var);
        let address = self.p.pool.var(base);
        self.store_place(&place, data.ty.ty, address);
        self.props.valid_deref = checks;
    }
}

/// The size of a stream's object: not less than glibc's `FILE`, which a program may copy, though nobody looks inside.
const STREAM_BYTES: u64 = 256;

/// How many bytes of a string a conversion reads at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Precision {
    /// All.
    None,
    /// So many.
    Fixed(u64),
    /// As many as an argument says.
    Given,
}

/// A conversion of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Conversion {
    letter: u8,
    wide: bool,
    width_given: bool,
    precision: Precision,
}

/// The conversions of a format that take arguments.
fn conversions(format: &[u8]) -> Vec<Conversion> {
    let mut found = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(c) = rest.next() {
        if c != b'%' {
            continue;
        }
        let mut conversion = Conversion {
            letter: 0,
            wide: false,
            width_given: false,
            precision: Precision::None,
        };
        while rest.next_if(|c| b"-+ #0'123456789".contains(c)).is_some() {}
        conversion.width_given = rest.next_if_eq(&b'*').is_some();
        if rest.next_if_eq(&b'.').is_some() {
            let mut digits = 0u64;
            while let Some(d) = rest.next_if(u8::is_ascii_digit) {
                digits = digits
                    .saturating_mul(10)
                    .saturating_add(u64::from(d - b'0'));
            }
            conversion.precision = match rest.next_if_eq(&b'*') {
                Some(_) => Precision::Given,
                None => Precision::Fixed(digits),
            };
        }
        while let Some(c) = rest.next_if(|c| b"hlLqjzt".contains(c)) {
            conversion.wide |= c == b'l';
        }
        conversion.letter = rest.next().unwrap_or(0);
        if conversion.letter == b'S' {
            (conversion.letter, conversion.wide) = (b's', true);
        }
        if conversion.letter != b'%' && conversion.letter != 0 {
            found.push(conversion);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(TABLE.is_sorted_by_key(|(name, _)| name));
    }

    #[test]
    fn formats() {
        let shown = |format: &str| -> Vec<(char, bool, Precision)> {
            let all = conversions(format.as_bytes());
            let one = |c: Conversion| (char::from(c.letter), c.width_given, c.precision);
            all.into_iter().map(one).collect()
        };
        assert_eq!(
            shown("100%% %-8d|%*.3s\n"),
            [
                ('d', false, Precision::None),
                ('s', true, Precision::Fixed(3)),
            ]
        );
        assert_eq!(
            shown("%.*s%lu"),
            [
                ('s', false, Precision::Given),
                ('u', false, Precision::None),
            ]
        );
        assert!(conversions(b"%ls")[0].wide);
        assert_eq!(shown("%"), []);
    }
}
