//! gcc's builtin functions: their types, and those that are expressions of their own.

use super::Sema;
use crate::ast;
use crate::hir::{self, ExprKind as H};
use crate::source::Span;
use crate::types::{FnTy, IntKind, QualTy, Ty, TyKind};

/// Signatures, result first: v void, i int, u unsigned, l long, U unsigned long, L long long,
/// X unsigned long long, z size_t, p void*, s char*, d double, f float, h unsigned short, `.` variadic.
const SIGNATURES: &[(&str, &str)] = &[
    ("abort", "v"),
    ("abs", "ii"),
    ("alloca", "pz"),
    ("assume_aligned", "ppz."),
    ("bswap16", "hh"),
    ("bswap32", "uu"),
    ("bswap64", "XX"),
    ("calloc", "pzz"),
    ("clz", "iu"),
    ("clzl", "iU"),
    ("clzll", "iX"),
    ("ctz", "iu"),
    ("ctzl", "iU"),
    ("ctzll", "iX"),
    ("exit", "vi"),
    ("expect", "lll"),
    ("fabs", "dd"),
    ("ffs", "ii"),
    ("ffsl", "il"),
    ("ffsll", "iL"),
    ("frame_address", "pu"),
    ("free", "vp"),
    ("huge_val", "d"),
    ("huge_valf", "f"),
    ("inf", "d"),
    ("inff", "f"),
    ("labs", "ll"),
    ("malloc", "pz"),
    ("memchr", "ppiz"),
    ("memcmp", "ippz"),
    ("memcpy", "pppz"),
    ("memmove", "pppz"),
    ("memset", "ppiz"),
    ("nan", "ds"),
    ("nanf", "fs"),
    ("object_size", "zpi"),
    ("parity", "iu"),
    ("parityl", "iU"),
    ("parityll", "iX"),
    ("popcount", "iu"),
    ("popcountl", "iU"),
    ("popcountll", "iX"),
    ("prefetch", "vp."),
    ("printf", "is."),
    ("putchar", "ii"),
    ("puts", "is"),
    ("realloc", "ppz"),
    ("return_address", "pu"),
    ("strcat", "sss"),
    ("strchr", "ssi"),
    ("strcmp", "iss"),
    ("strcpy", "sss"),
    ("strlen", "zs"),
    ("strncmp", "issz"),
    ("strncpy", "sssz"),
    ("strrchr", "ssi"),
    ("strstr", "sss"),
    ("trap", "v"),
    ("unreachable", "v"),
];

/// Comparisons and classifications of floating numbers: int results of any arguments.
const FLOAT_TESTS: &[&str] = &[
    "isnan",
    "isinf",
    "isinf_sign",
    "isfinite",
    "isnormal",
    "signbit",
    "signbitf",
    "signbitl",
    "isgreater",
    "isgreaterequal",
    "isless",
    "islessequal",
    "islessgreater",
    "isunordered",
    "fpclassify",
];

impl Sema<'_> {
    fn signature_type(&mut self, c: char) -> Ty {
        let t = &mut self.hir.types;
        match c {
            'v' => t.void,
            'i' => t.int,
            'u' => t.uint,
            'l' => t.long,
            'U' => t.ulong,
            'L' => t.int_ty(IntKind::LLong),
            'X' => t.int_ty(IntKind::ULLong),
            'z' => t.size_t(),
            'p' => t.void_ptr,
            's' => t.char_ptr,
            'h' => t.int_ty(IntKind::UShort),
            'f' => t.intern(TyKind::Float(crate::types::FloatKind::Float)),
            _ => t.double,
        }
    }

    /// The function behind a builtin name, declared on first use.
    pub(super) fn builtin_function(&mut self, text: &str, span: Span) -> Option<hir::Func> {
        let base = text.strip_prefix("__builtin_")?;
        let base = base.strip_suffix("_chk").unwrap_or(base);
        let signature = match SIGNATURES.binary_search_by_key(&base, |(name, _)| name) {
            Ok(at) => SIGNATURES[at].1,
            Err(_) if FLOAT_TESTS.contains(&base) => "i.",
            Err(_) => return None,
        };
        let variadic = signature.ends_with('.');
        let mut types = signature.trim_end_matches('.').chars();
        let ret: QualTy = types
            .next()
            .map_or(self.hir.types.int, |c| self.signature_type(c))
            .into();
        let params: Vec<QualTy> = types.map(|c| self.signature_type(c).into()).collect();
        let ty = self.hir.types.intern(TyKind::Function(FnTy {
            ret,
            params,
            variadic,
            prototype: true,
        }));
        let name = self.interner.intern(text);
        if let Some(f) = self.linked.funcs.get(&name) {
            return Some(*f);
        }
        let f = self.hir.funcs.push(hir::FuncData {
            name: text.to_owned(),
            ty,
            params: Vec::new(),
            body: None,
            address_taken: false,
            noreturn: matches!(base, "abort" | "exit" | "trap" | "unreachable"),
            internal: false,
            linkage: hir::Linkage::default(),
            odd: None,
            span,
        });
        self.linked.funcs.insert(name, f);
        Some(f)
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
        let int = self.hir.types.int;
        match (text, args) {
            ("__builtin_constant_p", [e]) => {
                let e = self.rvalue(*e);
                let constant = self.eval_int(e).is_some();
                Some(self.int_expr(i128::from(constant), int, span))
            }
            ("__builtin_va_start" | "__builtin_va_end" | "__builtin_va_copy", args) => {
                self.va_builtin(text, args, span)
            }
            ("__builtin_next_arg", _) => {
                let void = self.hir.types.void;
                Some(self.push_expr(H::Unsupported(format!("'{text}'")), void, span))
            }
            (
                "__builtin_add_overflow"
                | "__builtin_sub_overflow"
                | "__builtin_mul_overflow"
                | "__builtin_add_overflow_p"
                | "__builtin_sub_overflow_p"
                | "__builtin_mul_overflow_p",
                [a, b, r],
            ) => Some(self.overflow_builtin(text, [*a, *b, *r], span)),
            _ => None,
        }
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
        let int = self.hir.types.int;
        let ty = TyKind::Function(FnTy {
            ret: int.into(),
            params: Vec::new(),
            variadic: true,
            prototype: false,
        });
        let ty = self.hir.types.intern(ty);
        let name = self.interner.intern(text);
        let func = self.linked.funcs.get(&name).copied().unwrap_or_else(|| {
            self.hir.funcs.push(hir::FuncData {
                name: text.to_owned(),
                ty,
                params: Vec::new(),
                body: None,
                address_taken: false,
                noreturn: false,
                internal: false,
                linkage: hir::Linkage::default(),
                odd: None,
                span,
            })
        });
        self.linked.funcs.insert(name, func);
        let pointer = self.hir.types.pointer(ty.into());
        let callee = self.push_expr(H::FuncAddr(func), pointer, span);
        let bool_ty = self.hir.types.int;
        self.push_expr(H::Call { callee, args }, bool_ty, span)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn signatures_are_sorted() {
        assert!(super::SIGNATURES.is_sorted_by_key(|(name, _)| *name));
    }
}
