//! Arguments without a parameter: the caller lays them down in memory, each behind a word that tells
//! its type; see `sema::variadic`, which reads them.

use super::Lowerer;
use crate::types::Ty;
use trellis_ivl::{Span, Term, Type, Var};

impl Lowerer<'_> {
    /// The variable that hands the address of the arguments over.
    pub(super) fn va_handover(&mut self) -> Var {
        if let Some(var) = self.va_area {
            return var;
        }
        let var = self.p.add_global("va_area", Type::Bv(self.ptr), Span::NONE);
        self.va_area = Some(var);
        var
    }

    /// Lays down the arguments behind the parameters; the address, which is handed over.
    pub(super) fn lay_down(&mut self, args: &[(Term, Ty)]) -> Term {
        let class = self.classes.varargs();
        let word = u64::from(self.ptr / 8);
        let sizes: Vec<u64> = args
            .iter()
            .map(|(_, ty)| self.hir.types.size_of(*ty).unwrap_or(0))
            .collect();
        let total = sizes
            .iter()
            .map(|s| word + s.next_multiple_of(word))
            .sum::<u64>()
            + word;
        let size = self.ptr_const(total);
        let recursive = (self.f.func).is_none_or(|f| self.facts.recursive.contains(&f));
        let base = if recursive {
            let base = self.temp(Type::Bv(self.ptr));
            self.allocate(base, size, false);
            self.p.pool.var(base)
        } else {
            // No two calls from here are under way at once: they share one place, so that none runs out.
            let base = self.static_slot("&arguments", total, false, self.f.span);
            let base = self.p.pool.var(base);
            self.set_slot(base, super::memory::PLAIN, Some(size));
            base
        };
        let mut at = 0;
        for ((value, ty), size) in args.iter().zip(sizes) {
            let Some(tag) = self.hir.types.va_tag(*ty) else {
                self.incomplete("an argument of this type without a parameter");
                return base;
            };
            let (addr, tag) = (self.add_offset(base, at), self.ptr_const(tag));
            self.store_value(class, addr, tag, word);
            let addr = self.add_offset(base, at + word);
            let image = self.image_of_value(*value, *ty);
            if size > 0 {
                self.store_value(class, addr, image, size);
            }
            at += word + size.next_multiple_of(word);
        }
        let (addr, end) = (self.add_offset(base, at), self.ptr_const(0));
        self.store_value(class, addr, end, word);
        let handover = self.va_handover();
        self.assign(handover, base);
        base
    }

    /// The arguments are gone when the call has returned.
    pub(super) fn take_up(&mut self, base: Term) {
        if self.mem.state.is_some() {
            self.set_slot(base, super::memory::DEAD, None);
        }
    }
}
