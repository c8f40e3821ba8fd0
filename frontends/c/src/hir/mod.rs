//! The typed, resolved program: what sema makes and the lowering reads.
//!
//! Every conversion is explicit, every name is an entity, initialisers are flat lists of places, and
//! several translation units are one program.

pub mod float;
pub mod fold;

use crate::ast::BinOp;
use crate::lex::Symbol;
use crate::source::Span;
use crate::types::{QualTy, Ty, Types};
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

trellis_ivl::entities! {
    /// An object with a name: global, static, local, parameter, compound literal.
    Var "var";
    /// A function.
    Func "func";
    /// A typed expression.
    Expr "expr";
    /// A statement.
    Stmt "stmt";
    /// A goto label, per function.
    Label "label";
    /// A string literal object.
    Str "str";
    /// A switch statement's case.
    Case "case";
}

/// Storage duration and linkage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// File scope or `extern`.
    Global,
    /// `static` inside a function.
    Static,
    /// Automatic.
    Local,
    /// Parameter.
    Param,
}

/// An object.
#[derive(Clone, Debug)]
pub struct VarData {
    /// Its C name.
    pub name: String,
    /// Its type.
    pub ty: QualTy,
    /// Storage duration.
    pub storage: Storage,
    /// The function it is local to.
    pub owner: Option<Func>,
    /// Initialiser of a global or static.
    pub init: Option<Init>,
    /// Bytes that the initialiser of a flexible array member adds to the size of the type.
    pub flexible: u64,
    /// False for an `extern` that no file defines.
    pub defined: bool,
    /// Attributes of the name.
    pub linkage: Linkage,
    /// Attributes and other things the lowering cannot do.
    pub odd: Option<String>,
    /// Where.
    pub span: Span,
}

/// What attributes say about a name beyond its declaration.
#[derive(Clone, Debug, Default)]
pub struct Linkage {
    /// The unit that declares it weak.
    pub weak: Option<u32>,
    /// Whether its definition is weak: another one counts.
    pub weak_definition: bool,
    /// Whether its definition is `extern inline`: another one counts.
    pub inline_definition: bool,
    /// The unit of its last definition.
    pub defined_in: Option<u32>,
    /// The name that it is another name of, until it is resolved.
    pub alias: Option<String>,
    /// The function that it is another name of.
    pub func: Option<Func>,
    /// The object that it is another name of.
    pub var: Option<Var>,
    /// `asm("name")`
    pub label: Option<String>,
    /// It runs before `main`; small numbers first.
    pub constructor: Option<u32>,
    /// It runs at the end; large numbers first.
    pub destructor: Option<u32>,
}

impl Linkage {
    /// Whether this unit has defined it already, perhaps tentatively.
    pub fn tentative_here(&self, unit: u32) -> bool {
        self.defined_in == Some(unit)
    }
}

/// A function.
#[derive(Clone, Debug)]
pub struct FuncData {
    /// Its name.
    pub name: String,
    /// Its function type.
    pub ty: Ty,
    /// Parameters when defined.
    pub params: Vec<Var>,
    /// Its body when defined.
    pub body: Option<Stmt>,
    /// Whether it is used other than by a direct call.
    pub address_taken: bool,
    /// `_Noreturn` or the attribute.
    pub noreturn: bool,
    /// `static`
    pub internal: bool,
    /// Attributes of the name.
    pub linkage: Linkage,
    /// What the lowering must refuse.
    pub odd: Option<String>,
    /// Where.
    pub span: Span,
}

/// A flat initialiser.
#[derive(Clone, Debug, Default)]
pub struct Init {
    /// Whether everything not listed is zero.
    pub zero: bool,
    /// What is set, in order; a later entry overrides an earlier one.
    pub items: Vec<InitItem>,
}

/// One piece of an initialiser.
#[derive(Clone, Debug)]
pub struct InitItem {
    /// The way from the object to the piece.
    pub path: Vec<Step>,
    /// Its type.
    pub ty: QualTy,
    /// Its value, already converted.
    pub value: Expr,
}

/// A step into an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Member by index.
    Field(u32),
    /// Array element.
    Index(u64),
}

/// A typed expression.
#[derive(Clone, Debug)]
pub struct ExprData {
    /// What it is.
    pub kind: ExprKind,
    /// Its type; of an lvalue the type of the object.
    pub ty: QualTy,
    /// Where.
    pub span: Span,
}

/// Unary operators on values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum UnOp {
    Neg,
    BitNot,
    /// `!`: int 0 or 1 from a scalar.
    Not,
}

/// What an expression is. The first group are lvalues (or function designators), the rest values.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum ExprKind {
    Var(Var),
    Str(Str),
    Deref(Expr),
    /// Member of an lvalue or of a struct value.
    Field {
        base: Expr,
        field: u32,
    },
    /// Element of an array lvalue.
    Index {
        base: Expr,
        index: Expr,
    },
    /// An object that is initialised whenever it is evaluated.
    CompoundLit {
        var: Var,
        init: Init,
    },
    FuncRef(Func),

    Int(i128),
    /// By spelling, suffix included.
    Float(String),
    Load(Expr),
    /// Array lvalue to pointer to its first element.
    Decay(Expr),
    AddrOf(Expr),
    FuncAddr(Func),
    LabelAddr(Label),
    /// Conversion to the expression's type.
    Cast(Expr),
    Unary(UnOp, Expr),
    /// Arithmetic, bit and comparison operators; operands have one type except in shifts.
    Binary(BinOp, Expr, Expr),
    /// Short-circuit; int 0 or 1.
    And(Expr, Expr),
    Or(Expr, Expr),
    /// Pointer plus (or minus) a number of elements.
    PtrAdd {
        ptr: Expr,
        index: Expr,
        subtract: bool,
    },
    PtrDiff(Expr, Expr),
    Cond(Expr, Expr, Expr),
    /// `a ?: b`
    CondOmitted(Expr, Expr),
    Assign(Expr, Expr),
    /// `lhs = (type)((compute)lhs op rhs)`
    AssignOp {
        lhs: Expr,
        op: BinOp,
        rhs: Expr,
        compute: Ty,
    },
    /// `ptr += n`
    AssignPtr {
        lhs: Expr,
        index: Expr,
        subtract: bool,
    },
    IncDec {
        lhs: Expr,
        increment: bool,
        postfix: bool,
    },
    Comma(Expr, Expr),
    Call {
        callee: Expr,
        args: Vec<Expr>,
    },
    StmtExpr {
        body: Vec<Stmt>,
        value: Option<Expr>,
    },
    /// The address of the arguments behind the parameters of the function at hand.
    VaArea,
    /// Size of a variable-length type in bytes.
    SizeofVla(Ty),
    /// Something this front end can parse but not model.
    Unsupported(String),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct StmtData {
    /// What it is.
    pub kind: StmtKind,
    /// Where.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    /// An automatic object comes to life; without initialiser it holds any value.
    Decl {
        var: Var,
        init: Option<Init>,
    },
    /// The length of a variable-length array type is evaluated here.
    VlaLen(u32),
    /// From here on the block is not left without this call (the attribute `cleanup`).
    Cleanup(Expr),
    Block(Vec<Stmt>),
    If {
        cond: Expr,
        then: Stmt,
        other: Option<Stmt>,
    },
    While {
        cond: Expr,
        body: Stmt,
    },
    DoWhile {
        body: Stmt,
        cond: Expr,
    },
    For {
        init: Vec<Stmt>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Stmt,
    },
    Switch {
        value: Expr,
        cases: Vec<Case>,
        default: Option<Case>,
        body: Stmt,
    },
    /// Where a case or default label stands.
    Case(Case, Stmt),
    Label(Label, Stmt),
    Goto(Label),
    GotoComputed(Expr),
    Break,
    Continue,
    Return(Option<Expr>),
    Asm,
}

/// Values of a case, as the switch's promoted type has them; a default has none.
#[derive(Clone, Copy, Debug)]
pub struct CaseData {
    /// First value.
    pub low: i128,
    /// Last value.
    pub high: i128,
}

/// A string literal's object.
#[derive(Clone, Debug)]
pub struct StrData {
    /// Element values with the closing zero.
    pub units: Vec<u32>,
    /// Element type.
    pub elem: Ty,
}

/// A goto label.
#[derive(Clone, Debug)]
pub struct LabelData {
    /// Its name.
    pub name: String,
    /// Whether `&&label` occurs.
    pub address_taken: bool,
    /// The function it is in.
    pub owner: Option<Func>,
    /// Where.
    pub span: Span,
}

/// The whole program.
#[derive(Debug)]
pub struct Hir {
    /// Types.
    pub types: Types,
    /// Objects.
    pub vars: PrimaryMap<Var, VarData>,
    /// Functions.
    pub funcs: PrimaryMap<Func, FuncData>,
    /// Expressions.
    pub exprs: PrimaryMap<Expr, ExprData>,
    /// Statements.
    pub stmts: PrimaryMap<Stmt, StmtData>,
    /// Labels.
    pub labels: PrimaryMap<Label, LabelData>,
    /// String literals.
    pub strings: PrimaryMap<Str, StrData>,
    /// Cases.
    pub cases: PrimaryMap<Case, CaseData>,
    /// Length expressions of variable-length arrays.
    pub vlas: Vec<Expr>,
    /// Names of members, for people.
    pub member_names: FxHashMap<Symbol, String>,
}

impl Hir {
    /// An empty program.
    pub fn new(types: Types) -> Self {
        Hir {
            types,
            vars: PrimaryMap::new(),
            funcs: PrimaryMap::new(),
            exprs: PrimaryMap::new(),
            stmts: PrimaryMap::new(),
            labels: PrimaryMap::new(),
            strings: PrimaryMap::new(),
            cases: PrimaryMap::new(),
            vlas: Vec::new(),
            member_names: FxHashMap::default(),
        }
    }

    /// The function of that name.
    pub fn function(&self, name: &str) -> Option<Func> {
        self.funcs
            .iter()
            .find(|(_, f)| f.name == name)
            .map(|(id, _)| id)
    }

    /// The unqualified type of an expression.
    pub fn ty(&self, e: Expr) -> Ty {
        self.exprs[e].ty.ty
    }

    /// Whether an expression is an lvalue.
    pub fn is_lvalue(&self, e: Expr) -> bool {
        match &self.exprs[e].kind {
            ExprKind::Var(_)
            | ExprKind::Str(_)
            | ExprKind::Deref(_)
            | ExprKind::Index { .. }
            | ExprKind::CompoundLit { .. } => true,
            ExprKind::Field { base, .. } => self.is_lvalue(*base),
            _ => false,
        }
    }

    /// The bit-field width of a member lvalue.
    pub fn bit_width(&self, e: Expr) -> Option<u32> {
        match &self.exprs[e].kind {
            ExprKind::Field { base, field } => {
                let record = self.types.record_of(self.ty(*base))?;
                self.types.records[record]
                    .fields
                    .get(*field as usize)?
                    .width
            }
            _ => None,
        }
    }
}
