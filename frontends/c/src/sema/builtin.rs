//! gcc's builtin functions: their types, and those that are expressions of their own.

use super::{Sema, signatures};
use crate::ast;
use crate::hir::{self, ExprKind as H};
use crate::library;
use crate::parse::{UNBOUNDED_EXISTS, UNBOUNDED_FORALL};
use crate::source::Span;
use crate::types::{DataModel, FloatKind, FnTy, IntKind, Ty, TyKind};

impl Sema<'_> {
    /// The type that a letter of a signature stands for; the rest of the letters.
    fn signature_type<'s>(&mut self, letters: &'s str) -> (Ty, &'s str) {
        let mut rest = letters.chars();
        let c = rest.next();
        let rest = rest.as_str();
        let t = &mut self.hir.types;
        let ty = match c {
            Some('*') => {
                let (to, rest) = self.signature_type(rest);
                return (self.hir.types.pointer(to.into()), rest);
            }
            Some('v') => t.void,
            Some('b') => t.bool,
            Some('c') => t.char,
            Some('y') => t.int_ty(IntKind::UChar),
            Some('h') => t.int_ty(IntKind::UShort),
            Some('u') => t.uint,
            Some('l') => t.long,
            Some('U') => t.ulong,
            Some('L') => t.int_ty(IntKind::LLong),
            Some('X') => t.int_ty(IntKind::ULLong),
            Some('w') => t.int_ty(IntKind::UInt128),
            Some('m') => match t.model {
                DataModel::Lp64 => t.long,
                DataModel::Ilp32 => t.int_ty(IntKind::LLong),
            },
            Some('z') => t.size_t(),
            Some('t') => t.ptrdiff_t(),
            Some('p') => t.void_ptr,
            Some('s') => t.char_ptr,
            Some('V') => {
                let list = t.va_list;
                self.adjust_param(list.into()).ty
            }
            Some('f') => t.intern(TyKind::Float(FloatKind::Float)),
            Some('d') => t.double,
            Some('D') => t.intern(TyKind::Float(FloatKind::LongDouble)),
            _ => t.int,
        };
        (ty, rest)
    }

    /// The function type of a signature (see [`signatures`]).
    pub(super) fn type_of_signature(&mut self, signature: &str) -> Ty {
        let variadic = signature.ends_with('.');
        let (ret, mut letters) = self.signature_type(signature.trim_end_matches('.'));
        let mut params = Vec::new();
        while !letters.is_empty() {
            let (param, rest) = self.signature_type(letters);
            params.push(param.into());
            letters = rest;
        }
        self.hir.types.intern(TyKind::Function(FnTy {
            ret: ret.into(),
            params,
            variadic,
            prototype: true,
        }))
    }

    /// The type of a function of the C library that gcc knows without a declaration.
    pub(super) fn library_type(&mut self, text: &str) -> Option<Ty> {
        let signature = signatures::library(text)?;
        Some(self.type_of_signature(&signature))
    }

    /// The function behind a builtin name, declared on first use.
    pub(super) fn builtin_function(&mut self, text: &str, span: Span) -> Option<hir::Func> {
        let signature = signatures::predeclared(text)?;
        let ty = self.type_of_signature(&signature);
        // A function of the library that is modelled in C has one body for both names.
        let base = text.strip_prefix("__builtin_").unwrap_or(text);
        let text = if library::defines(base) { base } else { text };
        Some(self.declare_builtin(text, ty, span))
    }

    pub(super) fn declare_builtin(&mut self, text: &str, ty: Ty, span: Span) -> hir::Func {
        let name = self.interner.intern(text);
        if let Some(f) = self.linked.funcs.get(&name) {
            return *f;
        }
        let base = text.strip_prefix("__builtin_").unwrap_or(text);
        let f = self.hir.funcs.push(hir::FuncData {
            name: text.to_owned(),
            ty,
            params: Vec::new(),
            body: None,
            address_taken: false,
            noreturn: matches!(
                base,
                "_Exit" | "_exit" | "abort" | "exit" | "longjmp" | "trap" | "unreachable"
            ),
            internal: false,
            linkage: hir::Linkage::default(),
            odd: None,
            span,
        });
        self.linked.funcs.insert(name, f);
        f
    }

    /// An instruction of the processor, of whatever type: the function that it is in is beyond the model. Headers of the compiler
    /// are full of such functions, which a program that includes them need not call.
    fn processor_builtin(&mut self, text: &str, span: Span) -> Option<hir::Expr> {
        self.function.as_mut()?.beyond = Some(format!("builtin '{text}'"));
        Some(self.error_expr(span))
    }

    /// Builtins whose operands are not ordinary arguments.
    pub(super) fn special_builtin(
        &mut self,
        text: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<hir::Expr> {
        if self.function.is_some()
            && let Some(e) = self.atomic_builtin(text, args, span)
        {
            return Some(e);
        }
        if text.starts_with("__builtin_ia32_") {
            return self.processor_builtin(text, span);
        }
        let int = self.hir.types.int;
        match (text, args) {
            ("__builtin_constant_p", [e]) => {
                let e = self.rvalue(*e);
                let constant = self.eval_int(e).is_some() || self.hir.eval_float(e).is_some();
                Some(self.int_expr(i128::from(constant), int, span))
            }
            ("__builtin_va_start" | "__builtin_va_end" | "__builtin_va_copy", args) => {
                self.va_builtin(text, args, span)
            }
            ("__builtin_next_arg", _) => {
                let void = self.hir.types.void;
                Some(self.push_expr(H::Unsupported(format!("'{text}'")), void, span))
            }
            (UNBOUNDED_EXISTS | UNBOUNDED_FORALL, [body]) => {
                let value = self.rvalue(*body);
                if self.free.contains(body) || self.is_error(value) {
                    return Some(value);
                }
                let reason = H::Unsupported("a quantifier without bounds".into());
                Some(self.push_expr(reason, int, span))
            }
            ("__CPROVER_enum_is_in_range", [e]) => Some(self.enum_is_in_range(*e, span)),
            (
                "__builtin_add_overflow"
                | "__builtin_sub_overflow"
                | "__builtin_mul_overflow"
                | "__builtin_add_overflow_p"
                | "__builtin_sub_overflow_p"
                | "__builtin_mul_overflow_p",
                [a, b, r],
            ) => Some(self.overflow_builtin(text, [*a, *b, *r], span)),
            _ => self.float_test(text, args, span),
        }
    }

    /// Comparisons and classifications of floating numbers, which take them in their own types.
    fn float_test(&mut self, text: &str, args: &[ast::Expr], span: Span) -> Option<hir::Expr> {
        let base = text.strip_prefix("__builtin_").unwrap_or(text);
        if !signatures::is_float_test(base) {
            return None;
        }
        let mut values: Vec<hir::Expr> = args.iter().map(|a| self.rvalue(*a)).collect();
        if values.iter().any(|v| self.is_error(*v)) {
            return Some(self.error_expr(span));
        }
        let arithmetic = |s: &Self, v: &hir::Expr| s.hir.types.is_arithmetic(s.hir.ty(*v));
        let classes = values.len().saturating_sub(1);
        let wanted = match base {
            "fpclassify" => 6,
            "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater"
            | "isunordered" => 2,
            _ => 1,
        };
        if values.len() != wanted || !values.iter().all(|v| arithmetic(self, v)) {
            let message = format!("wrong number or types of arguments to '{text}'");
            self.error(span, message);
            return Some(self.error_expr(span));
        }
        let int = self.hir.types.int;
        match wanted {
            6 => {
                for value in &mut values[..classes] {
                    *value = self.convert(*value, int);
                }
            }
            2 => {
                let (a, b) = self.usual(values[0], values[1]);
                values = vec![a, b];
            }
            _ => {}
        }
        let double = self.hir.types.double;
        let first = if wanted == 6 { classes } else { 0 };
        for value in &mut values[first..] {
            if self.hir.types.is_integer(self.hir.ty(*value)) {
                *value = self.convert(*value, double);
            }
        }
        let name = format!("__builtin_{base}");
        Some(self.call_as_it_is(&name, values, int, span))
    }

    /// What CBMC defines for its programs, as far as it is a number here.
    pub(super) fn cprover_constant(&mut self, text: &str, span: Span) -> Option<hir::Expr> {
        let (value, ty) = match text {
            "__CPROVER_max_malloc_size" => {
                let most = self.hir.types.model.largest_object();
                (most, self.hir.types.size_t())
            }
            // The length of an array without end: an index of 32 bits does not leave it.
            "__CPROVER_constant_infinity_uint" => (u64::from(u32::MAX), self.hir.types.uint),
            _ => return None,
        };
        Some(self.int_expr(i128::from(value), ty, span))
    }

    /// Whether a value is that of some constant of its enumeration.
    fn enum_is_in_range(&mut self, e: ast::Expr, span: Span) -> hir::Expr {
        let int = self.hir.types.int;
        let e = self.rvalue(e);
        let ty = self.hir.ty(e);
        let TyKind::Enum(id) = *self.hir.types.kind(ty) else {
            if !self.is_error(e) {
                self.error(
                    span,
                    "argument of '__CPROVER_enum_is_in_range' is no enumeration",
                );
            }
            return self.error_expr(span);
        };
        let values = self.hir.types.enums[id].values.clone();
        let mut body = Vec::new();
        let held = self.held(ty, e, &mut body, span);
        let mut found = self.int_expr(0, int, span);
        for value in values {
            let place = self.push_expr(H::Var(held), ty, span);
            let is = self.push_expr(H::Load(place), ty, span);
            let value = self.int_expr(value, ty, span);
            let same = self.push_expr(H::Binary(ast::BinOp::Eq, is, value), int, span);
            found = self.push_expr(H::Or(found, same), int, span);
        }
        let value = Some(found);
        self.push_expr(H::StmtExpr { body, value }, int, span)
    }

    /// Type-generic: the operands keep their own types, so they are passed as they are.
    fn overflow_builtin(&mut self, text: &str, args: [ast::Expr; 3], span: Span) -> hir::Expr {
        let args: Vec<hir::Expr> = args.iter().map(|a| self.rvalue(*a)).collect();
        if args.iter().any(|a| self.is_error(*a)) {
            return self.error_expr(span);
        }
        let integers = self.hir.types.is_integer(self.hir.ty(args[0]))
            && self.hir.types.is_integer(self.hir.ty(args[1]));
        if !integers {
            self.error(span, format!("argument to '{text}' is not an integer"));
            return self.error_expr(span);
        }
        let result = self.hir.types.bool;
        self.call_as_it_is(text, args, result, span)
    }

    /// A call of a builtin that takes its arguments in their own types.
    fn call_as_it_is(
        &mut self,
        text: &str,
        args: Vec<hir::Expr>,
        result: Ty,
        span: Span,
    ) -> hir::Expr {
        let ty = self.hir.types.intern(TyKind::Function(FnTy {
            ret: result.into(),
            params: Vec::new(),
            variadic: true,
            prototype: false,
        }));
        let func = self.declare_builtin(text, ty, span);
        let pointer = self.hir.types.pointer(ty.into());
        let callee = self.push_expr(H::FuncAddr(func), pointer, span);
        self.push_expr(H::Call { callee, args }, result, span)
    }
}
