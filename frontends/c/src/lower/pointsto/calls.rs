//! The constraints of calls: of the program's own functions, and of library functions with a model.

use super::measure::{factor, is_aggregate, kind_of};
use super::{Classes, NONE, Node};
use crate::hir::{self, ExprKind as H, Hir};
use crate::library::OBJECT;
use crate::lower::libc_effects::{self, Effect};
use crate::types::Ty;

impl Classes {
    pub(super) fn call(
        &mut self,
        hir: &Hir,
        callee: hir::Expr,
        args: &[hir::Expr],
        ret: Ty,
    ) -> Node {
        if let H::FuncAddr(f) = hir.exprs[callee].kind {
            return self.call_of(hir, f, args, ret);
        }
        let ty = hir
            .types
            .pointee(hir.ty(callee))
            .map_or(hir.types.error, |q| q.ty);
        let mut result = NONE;
        for (f, data) in hir.funcs.iter() {
            if data.address_taken && hir.types.callable_as(data.ty, ty) {
                let value = self.call_of(hir, f, args, ret);
                self.unify(result, value);
                if result == NONE {
                    result = value;
                }
            }
        }
        result
    }

    fn call_of(&mut self, hir: &Hir, f: hir::Func, args: &[hir::Expr], ret: Ty) -> Node {
        let data = &hir.funcs[f];
        if data.body.is_none() {
            return self.library_call(hir, &data.name, args, ret);
        }
        for param in data.params.iter().skip(args.len()) {
            let node = self.vars[*param];
            self.holds_anything(node);
        }
        for (param, arg) in data.params.iter().zip(args) {
            let ty = hir.vars[*param].ty.ty;
            self.flow(hir, self.vars[*param], ty, *arg);
            self.access(hir, self.vars[*param], ty, Some(ty), false);
        }
        let variadic = hir.types.function_of(data.ty).is_some_and(|t| t.variadic);
        for arg in args.iter().skip(data.params.len()).filter(|_| variadic) {
            let (class, ty) = (self.varargs, hir.ty(*arg));
            self.flow(hir, class, ty, *arg);
            self.access(hir, class, ty, Some(ty), false);
            self.bytes(hir, class);
        }
        // The caller may see another type than the definition has.
        let own = hir.types.function_of(data.ty).map_or(ret, |f| f.ret.ty);
        let node = self.results[f];
        if is_aggregate(hir, own) {
            node
        } else {
            self.content(node, kind_of(hir, own))
        }
    }

    fn library_call(&mut self, hir: &Hir, name: &str, args: &[hir::Expr], ret: Ty) -> Node {
        let arg = |this: &Self, i: usize| args.get(i).map_or(NONE, |a| this.exprs[*a]);
        match libc_effects::of(name) {
            effect @ (Effect::None | Effect::ReachesBytes) => {
                if matches!(effect, Effect::ReachesBytes) {
                    for a in args {
                        if hir.types.is_pointer(hir.ty(*a)) {
                            self.bytes(hir, self.exprs[*a]);
                        }
                    }
                }
                if ret == hir.types.void {
                    return NONE;
                }
                let node = self.fresh();
                if is_aggregate(hir, ret) {
                    self.leads_outside(node);
                } else if hir.types.is_pointer(ret) {
                    self.unify(node, self.world);
                } else {
                    self.facts_mut(node).foreign = true;
                }
                node
            }
            Effect::Allocates { size, zeroed } => {
                let node = self.heap();
                let bytes = size
                    .iter()
                    .filter_map(|i| args.get(*i))
                    .map(|a| factor(hir, *a))
                    .product();
                if zeroed {
                    self.note_stride(node, bytes);
                } else {
                    self.holds_anything(node);
                    self.facts_mut(node).unset = name != OBJECT;
                }
                node
            }
            Effect::Reallocates => {
                let old = arg(self, 0);
                let node = self.heap();
                self.unify(node, old);
                self.holds_anything(node);
                self.facts_mut(node).unset = true;
                self.find_mut(node)
            }
            Effect::Duplicates => {
                let node = self.heap();
                self.bytes(hir, node);
                self.bytes(hir, arg(self, 0));
                let from = arg(self, 0);
                self.copy(node, from);
                node
            }
            Effect::Copies => {
                let (to, from) = (arg(self, 0), arg(self, 1));
                self.unify(to, from);
                let n = args.get(2).map_or(1, |a| factor(hir, *a));
                self.note_stride(to, n);
                to
            }
            Effect::Fills { size } => {
                let to = arg(self, 0);
                let n = args.get(size).map_or(1, |a| factor(hir, *a));
                self.note_stride(to, n);
                to
            }
            Effect::Writes => {
                let to = arg(self, 0);
                self.bytes(hir, to);
                NONE
            }
            Effect::Forgets { size } => {
                let to = arg(self, 0);
                let n = size
                    .and_then(|i| args.get(i))
                    .map_or(1, |a| factor(hir, *a));
                self.note_stride(to, n);
                // Pointers in the block may lead anywhere then.
                self.holds_anything(to);
                NONE
            }
            Effect::CopiesBytes => {
                let (to, from) = (arg(self, 0), arg(self, 1));
                self.bytes(hir, to);
                self.bytes(hir, from);
                self.copy(to, from);
                to
            }
            Effect::ReadsBytes => {
                for a in args {
                    if hir.types.is_pointer(hir.ty(*a)) {
                        self.bytes(hir, self.exprs[*a]);
                    }
                }
                // Where two blocks are found equal, so are the pointers in them.
                let (a, b) = (arg(self, 0), arg(self, 1));
                if a != NONE && b != NONE {
                    for kind in 0..2 {
                        let pair = (self.content(a, kind), self.content(b, kind));
                        self.comparisons.push(pair);
                    }
                }
                if hir.types.is_pointer(ret) {
                    arg(self, 0)
                } else {
                    NONE
                }
            }
            Effect::Passes => arg(self, 0),
            Effect::Points => {
                let node = self.fresh();
                self.facts_mut(node).outside = true;
                node
            }
            Effect::Stores => {
                let to = arg(self, 2);
                let ty = args
                    .get(2)
                    .and_then(|a| hir.types.pointee(hir.ty(*a)))
                    .map_or(hir.types.error, |q| q.ty);
                self.access(hir, to, ty, Some(ty), false);
                for i in 0..2 {
                    let value = arg(self, i);
                    self.flow_node(hir, to, ty, value);
                }
                NONE
            }
        }
    }

    fn heap(&mut self) -> Node {
        let node = self.fresh();
        let facts = self.facts_mut(node);
        facts.objects = 1;
        facts.dynamic = true;
        facts.heap = true;
        node
    }

    fn bytes(&mut self, hir: &Hir, class: Node) {
        if class != NONE {
            let char = hir.types.char;
            self.access(hir, class, char, Some(char), false);
        }
    }
}
