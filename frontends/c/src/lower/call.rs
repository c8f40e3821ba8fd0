//! Calls: procedures, function pointers, functions without a body.

use super::fault::Fault;
use super::object::{Object, Shape};
use super::{Lowerer, ProcInfo};
use crate::assumptions::Assumption;
use crate::hir::{self, ExprKind as H};
use crate::types::Ty;
use trellis_ivl::{Call, Term, Type};

impl Lowerer<'_> {
    /// The constant that stands for a function's address.
    pub(super) fn code_address(&mut self, f: hir::Func) -> Term {
        let number = (self.code.len() + self.label_codes.len()) as u64;
        let next = self.mem.code(number);
        let address = *self.code.entry(f).or_insert(next);
        self.ptr_const(address)
    }

    /// A function's address as a value; a weak one without definition may be null.
    pub(super) fn function_address(&mut self, f: hir::Func, ty: Ty) -> Term {
        let data = &self.hir.funcs[f];
        match &data.odd {
            Some(odd) if data.body.is_none() && data.linkage.weak.is_some() => {
                let reason = format!("the address of function '{}' with {odd}", data.name);
                self.unsupported(&reason, ty)
            }
            _ => self.code_address(f),
        }
    }

    /// The procedure of a function with a body; it is lowered later.
    pub(super) fn proc_of(&mut self, f: hir::Func) -> ProcInfo {
        if let Some(info) = self.procs.get(&f) {
            return *info;
        }
        let hir = self.hir;
        let data = &hir.funcs[f];
        let span = self.span(data.span);
        let name = self.unique_name(&data.name);
        let proc = self.p.add_proc(name, span);
        for param in &data.params {
            let var = &hir.vars[*param];
            let bits = self.bits(var.ty.ty);
            let span = self.span(var.span);
            let local = self
                .p
                .add_local(proc, var.name.clone(), Type::Bv(bits), span);
            self.p.procs[proc].params.push(local);
            let scalar = hir.types.is_scalar(var.ty.ty);
            if !self.facts.in_memory[*param] && scalar {
                self.objects[*param] = Some(Object::Registers(Shape::Leaf(local)));
                let signed = hir.types.is_signed(var.ty.ty);
                let pointer = hir.types.is_pointer(var.ty.ty);
                let float = self.float_kind(var.ty.ty);
                let (name, function) = (var.name.clone(), Some(data.name.clone()));
                self.var_infos.push(super::VarInfo {
                    var: local,
                    name,
                    function,
                    ty: Some(var.ty.ty),
                    signed,
                    pointer,
                    float,
                    elements: super::Elements::None,
                });
            }
        }
        let ret = hir
            .types
            .function_of(data.ty)
            .map_or(hir.types.void, |f| f.ret.ty);
        let ret = (ret != hir.types.void).then(|| {
            let bits = self.bits(ret);
            let var = self.p.add_local(proc, "result", Type::Bv(bits), span);
            self.p.procs[proc].results.push(var);
            self.result_infos.push(super::VarInfo {
                var,
                name: "\\result".into(),
                function: Some(data.name.clone()),
                ty: Some(ret),
                signed: hir.types.is_signed(ret),
                pointer: hir.types.is_pointer(ret),
                float: self.float_kind(ret),
                elements: super::Elements::None,
            });
            var
        });
        let info = ProcInfo { proc, ret };
        self.procs.insert(f, info);
        self.queue.push(f);
        info
    }

    /// Static functions of several files may share a name.
    fn unique_name(&self, name: &str) -> String {
        let taken = |n: &str| self.p.procs.values().any(|p| p.name == n);
        if !taken(name) {
            return name.to_owned();
        }
        (2..)
            .map(|i| format!("{name}#{i}"))
            .find(|n| !taken(n))
            .unwrap_or_default()
    }

    pub(super) fn call(
        &mut self,
        e: hir::Expr,
        callee: hir::Expr,
        args: &[hir::Expr],
        want: Ty,
    ) -> Term {
        let hir = self.hir;
        let ret = hir
            .types
            .function_of(hir.ty(callee))
            .map_or(hir.types.void, |f| f.ret.ty);
        let result = match hir.exprs[callee].kind {
            H::FuncAddr(f) => self.direct_call(e, f, args, ret, want),
            _ => self.indirect_call(e, callee, args, ret, want),
        };
        if !self.live() {
            self.zero(want)
        } else {
            result
        }
    }

    fn direct_call(
        &mut self,
        e: hir::Expr,
        f: hir::Func,
        args: &[hir::Expr],
        ret: Ty,
        want: Ty,
    ) -> Term {
        if let Some(result) = self.vocabulary(e, f, args, ret) {
            return result;
        }
        let values = self.arguments(args);
        self.call_function(f, &values, ret, want)
    }

    /// Values of arguments with their types, evaluated from right to left as gcc does.
    pub(super) fn arguments(&mut self, args: &[hir::Expr]) -> Vec<(Term, Ty)> {
        self.rely_on_order_of(args);
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate().rev() {
            let mut value = self.value(*arg);
            if args[..i].iter().any(|a| self.facts.effects[*a]) {
                value = self.save(value);
            }
            values.push((value, self.hir.ty(*arg)));
        }
        values.reverse();
        values
    }

    /// Tells the models of library functions which objects a call is about. The arguments have been
    /// evaluated, as calls among them say the same of themselves.
    pub(super) fn classify_call(&mut self, e: hir::Expr, args: &[hir::Expr]) {
        self.arg_classes = args.iter().map(|a| self.classes.of_expr(*a)).collect();
        self.result_class = self.classes.of_expr(e);
    }

    /// Calls a function with evaluated arguments.
    fn call_function(&mut self, f: hir::Func, args: &[(Term, Ty)], ret: Ty, want: Ty) -> Term {
        let hir = self.hir;
        let data = &hir.funcs[f];
        if let Some(odd) = &data.odd {
            self.incomplete(&format!("function '{}' with {odd}", data.name));
            return self.zero(ret);
        }
        if data.body.is_none() {
            return self.extern_call(f, ret);
        }
        if self.facts.recursive.contains(&f) {
            self.grant_or_give_up(Assumption::StackSuffices, &data.name);
        }
        let info = self.proc_of(f);
        let mut terms = Vec::new();
        for (i, param) in data.params.iter().enumerate() {
            let to = hir.vars[*param].ty.ty;
            let bits = self.bits(to);
            let term = match args.get(i) {
                Some((value, from)) if hir.types.is_scalar(*from) && hir.types.is_scalar(to) => {
                    let value = self.cast(*value, *from, to);
                    self.resize(value, bits, false)
                }
                Some((value, _)) => self.resize(*value, bits, false),
                None => {
                    // Undefined in C; any value.
                    let var = self.temp(Type::Bv(bits));
                    self.havoc(var, "missing argument");
                    self.p.pool.var(var)
                }
            };
            terms.push(term);
        }
        let variadic = hir.types.function_of(data.ty).is_some_and(|t| t.variadic);
        let laid = variadic.then(|| {
            let extra = args.get(data.params.len()..).unwrap_or(&[]);
            self.lay_down(extra)
        });
        self.flush();
        let Some(from) = self.f.cur else {
            return self.zero(ret);
        };
        let results: Vec<_> = info.ret.iter().map(|r| self.p.pool.var_ty(*r)).collect();
        let results: Vec<_> = results.into_iter().map(|ty| self.temp(ty)).collect();
        let result = results.first().copied();
        let to = self.new_loc();
        self.p.add_call(
            from,
            to,
            Call {
                callee: info.proc,
                args: terms,
                results,
            },
            self.f.span,
        );
        self.f.cur = Some(to);
        if let Some(base) = laid {
            self.take_up(base);
        }
        self.after_call(f);
        if want != hir.types.void {
            self.check_returned(f);
        }
        match result {
            Some(var) => {
                let value = self.p.pool.var(var);
                let bits = self.bits(ret);
                self.resize(value, bits, false)
            }
            // The caller takes a function for one that returns something.
            None => self.any_value(ret, &format!("{}()", data.name)),
        }
    }

    /// A function without a body returns any value and has no effects, where that may be assumed.
    pub(super) fn extern_call(&mut self, f: hir::Func, ret: Ty) -> Term {
        let hir = self.hir;
        let name = &hir.funcs[f].name;
        self.grant_or_give_up(Assumption::ExternFunctionsChangeNothing, name);
        if hir.funcs[f].noreturn {
            self.end_abruptly();
            return self.zero(ret);
        }
        self.any_value(ret, &format!("{name}()"))
    }

    /// Any value of a type.
    pub(super) fn any_value(&mut self, ty: Ty, name: &str) -> Term {
        if ty == self.hir.types.void {
            return self.zero(ty);
        }
        if let Some(kind) = self.float_kind(ty) {
            return self.any_float(kind, ty, name);
        }
        let var = self.temp(Type::Bv(self.bits(ty)));
        self.havoc(var, name);
        self.p.pool.var(var)
    }

    /// A call through a pointer: a case for every function whose address is taken and whose type fits. Null and functions
    /// of other types violate `valid-deref`.
    fn indirect_call(
        &mut self,
        e: hir::Expr,
        callee: hir::Expr,
        args: &[hir::Expr],
        ret: Ty,
        want: Ty,
    ) -> Term {
        let hir = self.hir;
        let values = self.arguments(args);
        let pointer = self.value(callee);
        let pointer = self.save(pointer);
        self.classify_call(e, args);
        let ty = hir
            .types
            .pointee(hir.ty(callee))
            .map_or(hir.types.error, |q| q.ty);
        let result = (ret != hir.types.void).then(|| self.temp(Type::Bv(self.bits(ret))));
        if self.props.valid_deref {
            let null = self.ptr_const(0);
            let mut wrong = self.p.pool.eq(pointer, null);
            for (f, data) in hir.funcs.iter() {
                if data.address_taken && !hir.types.callable_as(data.ty, ty) {
                    let address = self.code_address(f);
                    let is_f = self.p.pool.eq(pointer, address);
                    wrong = self.p.pool.or(wrong, is_f);
                }
            }
            let ok = self.p.pool.not(wrong);
            self.about(Fault::Call { pointer });
            self.check(ok, "valid-deref");
        }
        let mut ends = Vec::new();
        for (f, data) in hir.funcs.iter() {
            if !data.address_taken || !hir.types.callable_as(data.ty, ty) {
                continue;
            }
            let address = self.code_address(f);
            let is_f = self.p.pool.eq(pointer, address);
            let (yes, no) = self.branch(is_f);
            self.resume(yes);
            let value = match self.vocabulary_values(f, &values, ret) {
                Some(value) => value,
                None => self.call_function(f, &values, ret, want),
            };
            if let Some(var) = result {
                self.assign(var, value);
            }
            ends.extend(self.end_arm());
            self.resume(no);
        }
        self.incomplete(
            "a call through a function pointer that holds no known function of its type",
        );
        for end in ends {
            let here = self.f.cur.take();
            self.join(here, Some(end));
        }
        match result {
            Some(var) => self.p.pool.var(var),
            None => self.zero(ret),
        }
    }
}
