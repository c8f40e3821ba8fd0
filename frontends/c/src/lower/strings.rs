//! String literals as objects, and the functions of `string.h` as loops.

use super::Lowerer;
use super::pointsto::Node;
use crate::hir;
use crate::types::Ty;
use trellis_ivl::{Term, Type, Var};

/// An address with the class of what lies there.
type Bytes = (Node, Term);

impl Lowerer<'_> {
    /// The object of a string literal; its content is set at the start of the program.
    pub(super) fn string_object(&mut self, s: hir::Str) -> Var {
        if let Some(base) = self.strings.get(&s) {
            return *base;
        }
        let data = &self.hir.strings[s];
        let size = self.hir.types.size_of(data.elem).unwrap_or(1) * data.units.len() as u64;
        let span = self.f.span;
        let base = self.static_slot("&string", size, true, span);
        self.strings.insert(s, base);
        base
    }

    /// The bytes of a string literal.
    pub(super) fn string_bytes(&self, s: hir::Str) -> Vec<u8> {
        let data = &self.hir.strings[s];
        let size = self.hir.types.size_of(data.elem).unwrap_or(1) as usize;
        data.units
            .iter()
            .flat_map(|u| u.to_le_bytes().into_iter().take(size).collect::<Vec<_>>())
            .collect()
    }

    /// The model of a string function; `None` when there is none.
    pub(super) fn string_function(
        &mut self,
        name: &str,
        args: &[(Term, Ty)],
        ret: Ty,
    ) -> Option<Term> {
        // A declaration of the program's own may have other types than the library.
        let arg = |this: &mut Self, i: usize| {
            let (value, ty) = args[i];
            let signed = this.hir.types.is_signed(ty);
            let value = this.resize(value, this.ptr, signed);
            this.save(value)
        };
        let class = |this: &Self, i: usize| this.arg_classes.get(i).copied().unwrap_or(0);
        let (first, second) = (class(self, 0), class(self, 1));
        let result = match (name, args.len()) {
            ("strlen", 1) => {
                let s = arg(self, 0);
                self.length(first, s, None)
            }
            ("strnlen", 2) => {
                let (s, n) = (arg(self, 0), arg(self, 1));
                self.length(first, s, Some(n))
            }
            ("strcpy" | "stpcpy", 2) => {
                let (d, s) = (arg(self, 0), arg(self, 1));
                let n = self.copy_string((first, d), (second, s));
                if name == "stpcpy" {
                    self.p.pool.bvadd(d, n)
                } else {
                    d
                }
            }
            ("strncpy", 3) => {
                let (d, s, n) = (arg(self, 0), arg(self, 1), arg(self, 2));
                self.copy_padded((first, d), (second, s), n);
                d
            }
            ("strcat", 2) => {
                let (d, s) = (arg(self, 0), arg(self, 1));
                let end = self.length(first, d, None);
                let end = self.p.pool.bvadd(d, end);
                let end = self.save(end);
                self.copy_string((first, end), (second, s));
                d
            }
            ("strncat", 3) => {
                let (d, s, n) = (arg(self, 0), arg(self, 1), arg(self, 2));
                let end = self.length(first, d, None);
                let end = self.p.pool.bvadd(d, end);
                let end = self.save(end);
                let len = self.length(second, s, Some(n));
                let len = self.save(len);
                self.copy_bytes((first, end), (second, s), len);
                let at = self.p.pool.bvadd(end, len);
                self.check_write(at, 1);
                let zero = self.p.pool.num(8, 0);
                self.store_value(first, at, zero, 1);
                d
            }
            ("strcmp", 2) => {
                let (a, b) = (arg(self, 0), arg(self, 1));
                self.compare_bytes((first, a), (second, b), None, true)
            }
            ("strncmp", 3) => {
                let (a, b, n) = (arg(self, 0), arg(self, 1), arg(self, 2));
                self.compare_bytes((first, a), (second, b), Some(n), true)
            }
            ("memcmp", 3) => {
                let (a, b, n) = (arg(self, 0), arg(self, 1), arg(self, 2));
                self.compare_bytes((first, a), (second, b), Some(n), false)
            }
            ("strchr" | "index", 2) => {
                let s = arg(self, 0);
                self.find_byte((first, s), args[1].0, None)
            }
            ("memchr", 3) => {
                let (s, n) = (arg(self, 0), arg(self, 2));
                self.find_byte((first, s), args[1].0, Some(n))
            }
            ("strrchr" | "rindex", 2) => {
                let s = arg(self, 0);
                self.find_last((first, s), args[1].0)
            }
            ("strdup", 1) => {
                let s = arg(self, 0);
                let n = self.length(first, s, None);
                let one = self.ptr_const(1);
                let n = self.p.pool.bvadd(n, one);
                let n = self.save(n);
                let (d, failed) = self.heap_object(n, name);
                let to = self.result_class;
                self.copy_bytes((to, d), (first, s), n);
                self.join_failed(failed);
                d
            }
            _ => return None,
        };
        let bits = self.bits(ret);
        Some(self.resize(result, bits, true))
    }

    /// Copies `n` bytes between objects that may be of different classes.
    fn copy_bytes(&mut self, (to_class, d): Bytes, (class, s): Bytes, n: Term) {
        self.check_range_write(d, n);
        self.check_range(s, n);
        if to_class == class {
            self.check_apart(d, s, n);
        }
        let (i, i_term) = self.counter();
        self.while_loop(
            |this| this.p.pool.bvult(i_term, n),
            |this| {
                let from = this.p.pool.bvadd(s, i_term);
                let byte = this.load_bytes(class, from, 1);
                let to = this.p.pool.bvadd(d, i_term);
                this.store_value(to_class, to, byte, 1);
                this.advance(i);
            },
        );
    }

    fn counter(&mut self) -> (Var, Term) {
        let i = self.temp(Type::Bv(self.ptr));
        let zero = self.ptr_const(0);
        self.assign(i, zero);
        (i, self.p.pool.var(i))
    }

    /// A counter and the head of a loop over it.
    fn scan(&mut self) -> (Var, Term, trellis_ivl::Loc) {
        let (i, i_term) = self.counter();
        let head = self.new_loc();
        if self.live() {
            self.fall_into(head);
        }
        (i, i_term, head)
    }

    fn advance(&mut self, i: Var) {
        let one = self.ptr_const(1);
        let old = self.p.pool.var(i);
        let next = self.p.pool.bvadd(old, one);
        self.assign(i, next);
    }

    fn checked_byte(&mut self, class: Node, base: Term, i: Term) -> Term {
        let at = self.p.pool.bvadd(base, i);
        self.check_access(at, 1);
        self.check_byte_stored(class, at);
        let byte = self.load_bytes(class, at, 1);
        self.save(byte)
    }

    /// The head of a search: goes on inside while `i` is below the limit; else to the end.
    fn below(&mut self, i: Term, limit: Option<Term>) -> Option<trellis_ivl::Loc> {
        let limit = limit?;
        let c = self.p.pool.bvult(i, limit);
        let (inside, outside) = self.branch(c);
        self.resume(inside);
        outside
    }

    /// The end of a round: goes on with the next byte unless this one is zero, and gives where that leads.
    fn go_on_before_zero(
        &mut self,
        byte: Term,
        i: Var,
        head: trellis_ivl::Loc,
    ) -> Option<trellis_ivl::Loc> {
        let zero = self.p.pool.num(8, 0);
        let more = self.p.pool.ne(byte, zero);
        let (inside, end) = self.branch(more);
        self.resume(inside);
        self.advance(i);
        self.goto(head);
        end
    }

    /// Leaves a round where the byte is zero.
    fn leave_at_zero(&mut self, byte: Term) -> Option<trellis_ivl::Loc> {
        let zero = self.p.pool.num(8, 0);
        let last = self.p.pool.eq(byte, zero);
        let (end, more) = self.branch(last);
        self.resume(more);
        end
    }

    /// The byte that is looked for, and the pointer to it, null until it is found.
    fn wanted(&mut self, c: Term) -> (Term, Var) {
        let c = self.resize(c, 8, false);
        let c = self.save(c);
        let result = self.temp(Type::Bv(self.ptr));
        let null = self.ptr_const(0);
        self.assign(result, null);
        (c, result)
    }

    pub(super) fn length(&mut self, class: Node, s: Term, limit: Option<Term>) -> Term {
        let (i, i_term, head) = self.scan();
        let limit_end = self.below(i_term, limit);
        let byte = self.checked_byte(class, s, i_term);
        let end = self.go_on_before_zero(byte, i, head);
        self.join(limit_end, end);
        i_term
    }

    /// Copies up to and including the zero; the number of bytes before it.
    fn copy_string(&mut self, (to_class, d): Bytes, (class, s): Bytes) -> Term {
        let (i, i_term, head) = self.scan();
        let byte = self.checked_byte(class, s, i_term);
        let to = self.p.pool.bvadd(d, i_term);
        self.check_write(to, 1);
        self.store_value(to_class, to, byte, 1);
        let end = self.go_on_before_zero(byte, i, head);
        self.resume(end);
        if to_class == class {
            let one = self.ptr_const(1);
            let n = self.p.pool.bvadd(i_term, one);
            self.check_apart(d, s, n);
        }
        i_term
    }

    /// `strncpy`: copies at most n bytes and fills the rest with zeros.
    fn copy_padded(&mut self, (to_class, d): Bytes, (class, s): Bytes, n: Term) {
        let (i, i_term) = self.counter();
        let ended = self.temp(Type::Bool);
        let fls = self.p.pool.fls();
        self.assign(ended, fls);
        let ended_term = self.p.pool.var(ended);
        self.while_loop(
            |this| this.p.pool.bvult(i_term, n),
            |this| {
                let result = this.temp(Type::Bv(8));
                let (done, copying) = this.branch(ended_term);
                this.resume(done);
                let zero = this.p.pool.num(8, 0);
                this.assign(result, zero);
                let done = this.end_arm();
                this.resume(copying);
                let byte = this.checked_byte(class, s, i_term);
                this.assign(result, byte);
                let copying = this.end_arm();
                this.join(done, copying);
                let byte = this.p.pool.var(result);
                let is_zero = this.p.pool.eq(byte, zero);
                this.assign(ended, is_zero);
                let to = this.p.pool.bvadd(d, i_term);
                this.check_write(to, 1);
                this.store_value(to_class, to, byte, 1);
                this.advance(i);
            },
        );
    }

    /// Negative, zero or positive as the first difference says; C fixes only the sign.
    fn compare_bytes(
        &mut self,
        (class_a, a): Bytes,
        (class_b, b): Bytes,
        limit: Option<Term>,
        strings: bool,
    ) -> Term {
        let result = self.temp(Type::Bv(32));
        let zero32 = self.p.pool.num(32, 0);
        self.assign(result, zero32);
        let (i, i_term, head) = self.scan();
        let limit_end = self.below(i_term, limit);
        let x = self.checked_byte(class_a, a, i_term);
        let y = self.checked_byte(class_b, b, i_term);
        let same = self.p.pool.eq(x, y);
        let (equal, differ) = self.branch(same);
        self.resume(differ);
        let (wx, wy) = (self.p.pool.zext(32, x), self.p.pool.zext(32, y));
        let difference = self.p.pool.bvsub(wx, wy);
        self.assign(result, difference);
        let differ = self.end_arm();
        self.resume(equal);
        let end = match strings {
            true => self.leave_at_zero(x),
            false => None,
        };
        self.advance(i);
        self.goto(head);
        self.join(limit_end, end);
        let here = self.end_arm();
        self.join(here, differ);
        self.p.pool.var(result)
    }

    fn find_byte(&mut self, (class, s): Bytes, c: Term, limit: Option<Term>) -> Term {
        let (c, result) = self.wanted(c);
        let (i, i_term, head) = self.scan();
        let limit_end = self.below(i_term, limit);
        let byte = self.checked_byte(class, s, i_term);
        let found = self.p.pool.eq(byte, c);
        let (found, other) = self.branch(found);
        self.resume(found);
        let at = self.p.pool.bvadd(s, i_term);
        self.assign(result, at);
        let found = self.end_arm();
        self.resume(other);
        let end = match limit.is_none() {
            true => self.leave_at_zero(byte),
            false => None,
        };
        self.advance(i);
        self.goto(head);
        self.join(limit_end, end);
        let here = self.end_arm();
        self.join(here, found);
        self.p.pool.var(result)
    }

    fn find_last(&mut self, (class, s): Bytes, c: Term) -> Term {
        let (c, result) = self.wanted(c);
        let (i, i_term, head) = self.scan();
        let byte = self.checked_byte(class, s, i_term);
        let is_c = self.p.pool.eq(byte, c);
        let at = self.p.pool.bvadd(s, i_term);
        let old = self.p.pool.var(result);
        let new = self.p.pool.ite(is_c, at, old);
        self.assign(result, new);
        let end = self.go_on_before_zero(byte, i, head);
        self.resume(end);
        self.p.pool.var(result)
    }
}
