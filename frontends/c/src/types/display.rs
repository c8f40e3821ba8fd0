//! Types as C programmers write them.

use super::{FloatKind, IntKind, Length, QualTy, Ty, TyKind, Types};
use crate::ast::Quals;
use crate::lex::Interner;

impl Types {
    /// The name of a type.
    pub fn name(&self, ty: impl Into<QualTy>, interner: &Interner) -> String {
        let (left, right) = self.split(ty.into(), interner, 0);
        format!("{}{}", left.trim_end(), right)
    }

    /// The text before and after a declared name.
    fn split(&self, ty: QualTy, interner: &Interner, depth: u32) -> (String, String) {
        if depth > 20 {
            return ("...".into(), String::new());
        }
        let quals = quals_text(ty.quals);
        match self.kind(ty.ty) {
            TyKind::Pointer(to) => {
                let (left, right) = self.split(*to, interner, depth + 1);
                let wrap = matches!(self.kind(to.ty), TyKind::Array(..) | TyKind::Function(_));
                if wrap {
                    (format!("{left}(*{quals}"), format!("){right}"))
                } else {
                    let gap = if left.ends_with('*') { "" } else { " " };
                    (format!("{}{gap}*{quals}", left.trim_end()), right)
                }
            }
            TyKind::Array(elem, len) => {
                let (left, right) = self.split(*elem, interner, depth + 1);
                let len = match len {
                    Length::Known(n) => n.to_string(),
                    Length::Incomplete => String::new(),
                    Length::Vla(_) => "*".into(),
                };
                (left, format!("[{len}]{right}"))
            }
            TyKind::Function(f) => {
                let (left, right) = self.split(f.ret, interner, depth + 1);
                let mut params: Vec<String> =
                    f.params.iter().map(|p| self.name(*p, interner)).collect();
                if f.variadic {
                    params.push("...".into());
                }
                if params.is_empty() && f.prototype {
                    params.push("void".into());
                }
                (left, format!("({}){right}", params.join(", ")))
            }
            _ => (
                format!("{quals}{} ", self.base_name(ty.ty, interner)),
                String::new(),
            ),
        }
    }

    fn base_name(&self, ty: Ty, interner: &Interner) -> String {
        match self.kind(ty) {
            TyKind::Error => "<error>".into(),
            TyKind::Void => "void".into(),
            TyKind::Bool => "_Bool".into(),
            TyKind::Int(k) => int_name(*k).into(),
            TyKind::Float(k) => float_name(*k).into(),
            TyKind::Complex(k) => format!("_Complex {}", float_name(*k)),
            TyKind::Enum(e) => tagged("enum", self.enums[*e].tag.map(|t| interner.text(t))),
            TyKind::Record(r) => {
                let record = &self.records[*r];
                let word = if record.union { "union" } else { "struct" };
                tagged(word, record.tag.map(|t| interner.text(t)))
            }
            _ => String::new(),
        }
    }
}

fn tagged(word: &str, tag: Option<&str>) -> String {
    format!("{word} {}", tag.unwrap_or("<anonymous>"))
}

fn quals_text(quals: Quals) -> String {
    let mut out = String::new();
    for (q, text) in [
        (Quals::CONST, "const "),
        (Quals::VOLATILE, "volatile "),
        (Quals::RESTRICT, "restrict "),
        (Quals::ATOMIC, "_Atomic "),
    ] {
        if quals.has(q) {
            out.push_str(text);
        }
    }
    out
}

fn int_name(kind: IntKind) -> &'static str {
    use IntKind::*;
    match kind {
        Char => "char",
        SChar => "signed char",
        UChar => "unsigned char",
        Short => "short int",
        UShort => "short unsigned int",
        Int => "int",
        UInt => "unsigned int",
        Long => "long int",
        ULong => "long unsigned int",
        LLong => "long long int",
        ULLong => "long long unsigned int",
        Int128 => "__int128",
        UInt128 => "__int128 unsigned",
        Bits { .. } => "bit-field wider than int",
    }
}

fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "_Float16",
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Float128 => "_Float128",
    }
}
