//! What a contract says, as C.
//!
//! Numbers of contracts are integers without width. Every operation is done in a type in which it cannot overflow, by the bounds of its
//! operands; where there is none, the clause is refused.

use super::syntax::{Kind, Node, Wrong};
use crate::hir::Hir;
use crate::lex::Interner;
use crate::types::{IntKind, QualTy, TyKind};
use std::collections::BTreeMap;

/// What a rendered node is.
#[derive(Clone, Copy, Debug)]
pub enum Sort {
    /// A condition: 0 or 1.
    Truth,
    /// A number within bounds.
    Number(i128, i128),
    /// An object or value of a type of C.
    Typed(QualTy),
    /// The null pointer.
    Null,
}

/// A node as C, in parentheses where it needs them.
#[derive(Clone, Debug)]
pub struct Rendered {
    /// The expression.
    pub text: String,
    /// What it is.
    pub sort: Sort,
}

/// What names mean.
pub struct Scope<'a> {
    /// The typed program.
    pub hir: &'a Hir,
    /// Names of members.
    pub interner: &'a Interner,
    /// By name: parameters before objects of the file.
    pub vars: BTreeMap<String, QualTy>,
    /// What the function returns, where it may be mentioned.
    pub result: Option<QualTy>,
    /// Whether `\valid` may be said.
    pub valid: bool,
    /// Values before the call, if they may be mentioned: each gets a variable of its own.
    pub old: Option<Vec<Rendered>>,
}

/// The variable for the result.
pub const RESULT: &str = "trellis_result";
/// What the names of variables for old values begin with.
pub const OLD: &str = "trellis_old_";

fn wrong<T>(node: &Node, why: impl Into<String>) -> Result<T, Wrong> {
    Err((node.at.start, why.into()))
}

/// The bounds of an integer type.
pub fn bounds(hir: &Hir, ty: QualTy) -> Option<(i128, i128)> {
    let types = &hir.types;
    let kind = match types.kind(ty.ty) {
        TyKind::Bool => return Some((0, 1)),
        TyKind::Enum(e) => types.enums[*e].repr,
        TyKind::Int(kind) => *kind,
        _ => return None,
    };
    let long = match types.model {
        crate::types::DataModel::Ilp32 => 32,
        crate::types::DataModel::Lp64 => 64,
    };
    let (width, signed) = match kind {
        IntKind::Char | IntKind::SChar => (8, true),
        IntKind::UChar => (8, false),
        IntKind::Short => (16, true),
        IntKind::UShort => (16, false),
        IntKind::Int => (32, true),
        IntKind::UInt => (32, false),
        IntKind::Long => (long, true),
        IntKind::ULong => (long, false),
        IntKind::LLong => (64, true),
        IntKind::ULLong => (64, false),
        IntKind::Bits { width, signed } => (u32::from(width), signed),
        IntKind::Int128 | IntKind::UInt128 => return None,
    };
    Some(match signed {
        true => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
        false => (0, (1i128 << width) - 1),
    })
}

/// A type of C with all numbers within the bounds.
fn wide(node: &Node, low: i128, high: i128) -> Result<&'static str, Wrong> {
    match low >= i128::from(i64::MIN) && high <= i128::from(i64::MAX) {
        true => Ok("long long"),
        false if low > i128::MIN / 4 && high < i128::MAX / 4 => Ok("__int128"),
        false => wrong(
            node,
            "numbers of more than 125 bits are outside of what is read of contracts",
        ),
    }
}

impl Scope<'_> {
    /// A condition.
    pub fn truth(&mut self, node: &Node) -> Result<String, Wrong> {
        let rendered = self.render(node)?;
        Ok(match rendered.sort {
            Sort::Truth => rendered.text,
            Sort::Typed(ty) if matches!(self.hir.types.kind(ty.ty), TyKind::Pointer(_)) => {
                return wrong(node, "a pointer is no condition: compare it with \\null");
            }
            _ => {
                let (number, _, _) = self.number(node, rendered)?;
                format!("({number} != 0)")
            }
        })
    }

    /// A number, with its bounds.
    fn number(&self, node: &Node, rendered: Rendered) -> Result<(String, i128, i128), Wrong> {
        match rendered.sort {
            Sort::Truth => Ok((rendered.text, 0, 1)),
            Sort::Number(low, high) => Ok((rendered.text, low, high)),
            Sort::Typed(ty) => match bounds(self.hir, ty) {
                Some((low, high)) => Ok((rendered.text, low, high)),
                None => {
                    let name = self.hir.types.name(ty, self.interner);
                    wrong(node, format!("a value of type '{name}' is no integer here"))
                }
            },
            Sort::Null => wrong(node, "\\null is no number"),
        }
    }

    /// A place or a value that C has a type for.
    pub fn typed(&mut self, node: &Node) -> Result<(String, QualTy), Wrong> {
        let rendered = self.render(node)?;
        match rendered.sort {
            Sort::Typed(ty) => Ok((rendered.text, ty)),
            _ => wrong(node, "this is no place"),
        }
    }

    fn arithmetic(
        &mut self,
        node: &Node,
        op: &str,
        a: (String, i128, i128),
        b: (String, i128, i128),
    ) -> Result<Rendered, Wrong> {
        let too_large = (
            node.at.start,
            "numbers are too large to be compared exactly".to_string(),
        );
        let corners = |f: fn(i128, i128) -> Option<i128>| -> Option<(i128, i128)> {
            let all = [f(a.1, b.1)?, f(a.1, b.2)?, f(a.2, b.1)?, f(a.2, b.2)?];
            Some((all.into_iter().min()?, all.into_iter().max()?))
        };
        let (low, high) = match op {
            "+" => corners(i128::checked_add).ok_or(too_large)?,
            "-" => corners(i128::checked_sub).ok_or(too_large)?,
            "*" => corners(i128::checked_mul).ok_or(too_large)?,
            "/" | "%" => {
                if b.1 <= 0 && b.2 >= 0 {
                    return wrong(
                        node,
                        "a divisor that could be zero by its type is outside of what is read of contracts",
                    );
                }
                let most = a.1.abs().max(a.2.abs());
                let most = if op == "%" {
                    most.min(b.1.abs().max(b.2.abs()) - 1)
                } else {
                    most
                };
                (-most, most)
            }
            "<<" | ">>" => {
                if b.1 != b.2 || !(0..=62).contains(&b.1) {
                    return wrong(
                        node,
                        "only constants from 0 to 62 are read as distances of shifts",
                    );
                }
                let by = 1i128 << b.1;
                match op {
                    "<<" => {
                        let shift = |n: i128| n.checked_mul(by);
                        let bounds = shift(a.1).zip(shift(a.2));
                        let (low, high) = bounds.ok_or(too_large)?;
                        let ty = wide(node, low, high)?;
                        let text = format!("(({ty})({}) * ({ty}){by}LL)", a.0);
                        return Ok(Rendered {
                            text,
                            sort: Sort::Number(low, high),
                        });
                    }
                    _ => (a.1 >> b.1, a.2 >> b.1),
                }
            }
            // Of numbers in two's complement, as wide as either.
            _ => {
                let low = a.1.min(b.1).min(0);
                let high = a.2.max(b.2).max(0);
                let bits = 128 - high.leading_zeros().min((!low).leading_zeros());
                let low = if low < 0 {
                    -(1i128 << bits.min(125))
                } else {
                    0
                };
                (low, (1i128 << bits.min(125)) - 1)
            }
        };
        let ty = wide(node, low.min(a.1).min(b.1), high.max(a.2).max(b.2))?;
        let text = format!("(({ty})({}) {op} ({ty})({}))", a.0, b.0);
        Ok(Rendered {
            text,
            sort: Sort::Number(low, high),
        })
    }

    fn compare(&mut self, op: &str, a: &Node, b: &Node) -> Result<String, Wrong> {
        let (left, right) = (self.render(a)?, self.render(b)?);
        let pointer = |r: &Rendered| match r.sort {
            Sort::Typed(ty) => matches!(self.hir.types.kind(ty.ty), TyKind::Pointer(_)),
            Sort::Null => true,
            _ => false,
        };
        if pointer(&left) || pointer(&right) {
            let zero = |r: &Rendered| matches!(r.sort, Sort::Number(0, 0));
            if !(pointer(&left) || zero(&left)) || !(pointer(&right) || zero(&right)) {
                return wrong(b, "a pointer is compared with a number");
            }
            if op != "==" && op != "!=" {
                return wrong(b, "pointers are compared by == and != only");
            }
            return Ok(format!(
                "((void *)({}) {op} (void *)({}))",
                left.text, right.text
            ));
        }
        let (left, right) = (self.number(a, left)?, self.number(b, right)?);
        let ty = wide(a, left.1.min(right.1), left.2.max(right.2))?;
        Ok(format!("(({ty})({}) {op} ({ty})({}))", left.0, right.0))
    }

    fn member(&mut self, node: &Node, of: &Node, name: &str) -> Result<Rendered, Wrong> {
        let (text, ty) = self.typed(of)?;
        let TyKind::Record(record) = self.hir.types.kind(ty.ty) else {
            return wrong(of, "this is no struct or union");
        };
        let fields = self.hir.types.records[*record].fields.iter();
        let mut named = fields.filter(|f| f.name.is_some_and(|n| self.interner.text(n) == name));
        let Some(field) = named.next() else {
            return wrong(
                node,
                format!("there is no member '{name}' that contracts could name"),
            );
        };
        let sort = match (field.width, bounds(self.hir, field.ty)) {
            (Some(width), Some((low, _))) => match low < 0 {
                true => Sort::Number(
                    -(1i128 << (width.max(1) - 1)),
                    (1i128 << (width.max(1) - 1)) - 1,
                ),
                false => Sort::Number(0, (1i128 << width) - 1),
            },
            _ => Sort::Typed(field.ty),
        };
        Ok(Rendered {
            text: format!("{text}.{name}"),
            sort,
        })
    }

    /// What the node says, in C.
    pub fn render(&mut self, node: &Node) -> Result<Rendered, Wrong> {
        let truth = |text: String| Rendered {
            text,
            sort: Sort::Truth,
        };
        Ok(match &node.kind {
            Kind::Number(n) => {
                wide(node, *n, *n)?;
                let text = match i64::try_from(*n) {
                    Ok(n) => format!("{n}LL"),
                    Err(_) if *n <= i128::from(u64::MAX) => format!("{n}ULL"),
                    Err(_) => {
                        return wrong(
                            node,
                            "constants of more than 64 bits are outside of what is read of contracts",
                        );
                    }
                };
                Rendered {
                    text,
                    sort: Sort::Number(*n, *n),
                }
            }
            Kind::True => truth("1".into()),
            Kind::False => truth("0".into()),
            Kind::Null => Rendered {
                text: "0".into(),
                sort: Sort::Null,
            },
            Kind::Name(name) => match self.vars.get(name) {
                Some(&ty) => Rendered {
                    text: name.clone(),
                    sort: Sort::Typed(ty),
                },
                None => {
                    return wrong(
                        node,
                        format!("'{name}' is no parameter and no object that the contract can see"),
                    );
                }
            },
            Kind::Result => match self.result {
                Some(ty) => Rendered {
                    text: RESULT.into(),
                    sort: Sort::Typed(ty),
                },
                None => {
                    return wrong(
                        node,
                        "\\result is what `ensures` of a function that returns something may mention",
                    );
                }
            },
            Kind::Old(of) => self.before(node, of)?,
            Kind::Valid(of, reads) => {
                if !self.valid || !matches!(of.kind, Kind::Name(_)) {
                    return wrong(
                        node,
                        "\\valid is read in `requires` only, of a pointer that has a name",
                    );
                }
                let (text, ty) = self.typed(of)?;
                if !matches!(self.hir.types.kind(ty.ty), TyKind::Pointer(_)) {
                    return wrong(of, "this is no pointer");
                }
                let ok = if *reads {
                    "__CPROVER_r_ok"
                } else {
                    "__CPROVER_rw_ok"
                };
                truth(format!("(!!{ok}({text}, sizeof(*{text})))"))
            }
            Kind::Unary("!", of) => truth(format!("(!{})", self.truth(of)?)),
            Kind::Unary(op, of) => {
                let rendered = self.render(of)?;
                let number = self.number(of, rendered)?;
                match *op {
                    "+" => Rendered {
                        text: number.0,
                        sort: Sort::Number(number.1, number.2),
                    },
                    "-" => self.arithmetic(node, "-", ("0".into(), 0, 0), number)?,
                    // Of all numbers, ~x is -1 - x.
                    _ => self.arithmetic(node, "-", ("-1".into(), -1, -1), number)?,
                }
            }
            Kind::Binary(op, a, b) => match *op {
                "==>" => truth(format!("(!{} || {})", self.truth(a)?, self.truth(b)?)),
                "<==>" => truth(format!("({} == {})", self.truth(a)?, self.truth(b)?)),
                "^^" => truth(format!("({} != {})", self.truth(a)?, self.truth(b)?)),
                "&&" | "||" => truth(format!("({} {op} {})", self.truth(a)?, self.truth(b)?)),
                _ => {
                    let (left, right) = (self.render(a)?, self.render(b)?);
                    let (left, right) = (self.number(a, left)?, self.number(b, right)?);
                    self.arithmetic(node, op, left, right)?
                }
            },
            Kind::Chain(first, rest) => {
                let mut parts = Vec::new();
                let mut left = &**first;
                for (op, right) in rest {
                    parts.push(self.compare(op, left, right)?);
                    left = right;
                }
                truth(format!("({})", parts.join(" && ")))
            }
            Kind::If(cond, yes, no) => {
                let cond = self.truth(cond)?;
                let (a, b) = (self.render(yes)?, self.render(no)?);
                let (a, b) = (self.number(yes, a)?, self.number(no, b)?);
                let (low, high) = (a.1.min(b.1), a.2.max(b.2));
                let ty = wide(node, low, high)?;
                let text = format!("({cond} ? ({ty})({}) : ({ty})({}))", a.0, b.0);
                Rendered {
                    text,
                    sort: Sort::Number(low, high),
                }
            }
            Kind::Cast(ty, of) => {
                let rendered = self.render(of)?;
                let (text, low, high) = self.number(of, rendered)?;
                if ty == "integer" {
                    return Ok(Rendered {
                        text,
                        sort: Sort::Number(low, high),
                    });
                }
                let Some((low, high)) = cast_bounds(self.hir, ty) else {
                    return wrong(node, format!("'{ty}' is no integer type that is read here"));
                };
                Rendered {
                    text: format!("(({ty})({text}))"),
                    sort: Sort::Number(low, high),
                }
            }
            Kind::Deref(of) => {
                let (text, ty) = self.typed(of)?;
                match self.hir.types.kind(ty.ty) {
                    TyKind::Pointer(to) | TyKind::Array(to, _) => Rendered {
                        text: format!("(*{text})"),
                        sort: Sort::Typed(*to),
                    },
                    _ => return wrong(of, "this is no pointer"),
                }
            }
            Kind::Index(of, index) => {
                let (text, ty) = self.typed(of)?;
                let elem = match self.hir.types.kind(ty.ty) {
                    TyKind::Pointer(to) | TyKind::Array(to, _) => *to,
                    _ => return wrong(of, "this is no array and no pointer"),
                };
                let rendered = self.render(index)?;
                let (index, _, _) = self.number(index, rendered)?;
                Rendered {
                    text: format!("{text}[{index}]"),
                    sort: Sort::Typed(elem),
                }
            }
            Kind::Member(of, name) => self.member(node, of, name)?,
            Kind::Address(_) => {
                return wrong(node, "addresses are outside of what is read of contracts");
            }
        })
    }

    /// What something was before the call.
    fn before(&mut self, node: &Node, of: &Node) -> Result<Rendered, Wrong> {
        let Some(before) = self.old.take() else {
            return wrong(
                node,
                "\\old is what `ensures` may mention, not within another",
            );
        };
        let result = self.result.take();
        let rendered = self.render(of);
        self.result = result;
        let rendered = rendered?;
        let mut before = before;
        let name = format!("{OLD}{}", before.len());
        let sort = rendered.sort;
        before.push(rendered);
        self.old = Some(before);
        Ok(Rendered { text: name, sort })
    }
}

/// The bounds of an integer type by its words.
fn cast_bounds(hir: &Hir, ty: &str) -> Option<(i128, i128)> {
    let count = |word: &str| ty.split(' ').filter(|w| *w == word).count();
    let unsigned = count("unsigned") > 0;
    let width = match (count("_Bool"), count("char"), count("short"), count("long")) {
        (1, ..) => return Some((0, 1)),
        (_, 1, 0, 0) => 8,
        (_, 0, 1, 0) => 16,
        (_, 0, 0, 1) => match hir.types.model {
            crate::types::DataModel::Ilp32 => 32,
            crate::types::DataModel::Lp64 => 64,
        },
        (_, 0, 0, 2) => 64,
        (_, 0, 0, 0) => 32,
        _ => return None,
    };
    Some(match unsigned {
        false => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
        true => (0, (1i128 << width) - 1),
    })
}
