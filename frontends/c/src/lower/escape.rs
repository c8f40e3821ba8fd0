//! What must be known of the whole program before lowering: which variables live in memory, which
//! expressions have effects, which functions may recurse.

use super::Properties;
use super::cprover::asks_for_objects;
use super::libc_effects::Effect;
use crate::ast::{BinOp, Quals};
use crate::hir::{self, ExprKind as H, Hir, StmtKind as S};
use crate::types::{Length, Ty, TyKind, Types};
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};

/// Records with arrays inside are split only up to this size in bytes.
const MAX_SPLIT_WITH_ARRAY: u64 = 256;
/// Records with more scalars than this are not split.
const MAX_LEAVES: usize = 64;

/// Facts about a program.
pub struct Facts {
    /// Variables that live in memory.
    pub in_memory: SecondaryMap<hir::Var, bool>,
    /// Expressions that change state, call, or end paths.
    pub effects: SecondaryMap<hir::Expr, bool>,
    /// Expressions with neither effects nor checks: their lowering is a term and nothing else.
    pub pure: SecondaryMap<hir::Expr, bool>,
    /// Functions that may be active more than once at a time.
    pub recursive: FxHashSet<hir::Func>,
    /// Locals that get another address with each life.
    pub many_lives: SecondaryMap<hir::Var, bool>,
    /// Whether `realloc` is called, which must know sizes.
    pub uses_realloc: bool,
    /// Whether there are objects in memory that must not be written.
    pub has_constants: bool,
    /// Whether anything is put on the heap.
    pub allocates: bool,
    /// Locals that may be read before they are set, where that is checked.
    pub maybe_unset: SecondaryMap<hir::Var, bool>,
    /// Functions that may return without the value that they promise, where that is checked.
    pub may_fall_off: FxHashSet<hir::Func>,
    /// Whether something in memory may be read before it is set, where that is checked.
    pub memory_maybe_unset: bool,
    /// Whether the program asks which objects are alive and how large they are.
    pub asks_for_objects: bool,
    /// Whether the program calls functions of which only bounds are known.
    pub approximates: bool,
}

impl Facts {
    /// Computes all facts. Children precede parents in the arena, so one pass each suffices.
    pub fn new(hir: &Hir, props: Properties) -> Self {
        let mut facts = Facts {
            in_memory: SecondaryMap::new(),
            effects: SecondaryMap::new(),
            pure: SecondaryMap::new(),
            recursive: FxHashSet::default(),
            many_lives: SecondaryMap::new(),
            uses_realloc: false,
            has_constants: !hir.strings.is_empty(),
            allocates: false,
            maybe_unset: match props.uninit {
                true => super::uninit::candidates(hir),
                false => SecondaryMap::new(),
            },
            may_fall_off: match props.uninit {
                true => super::fall_off::candidates(hir),
                false => FxHashSet::default(),
            },
            memory_maybe_unset: false,
            asks_for_objects: false,
            approximates: false,
        };
        let mut mentioned = FxHashSet::default();
        for (e, data) in hir.exprs.iter() {
            if let H::Var(v) = data.kind {
                mentioned.insert(v);
            }
            if let H::AddrOf(place) | H::Decay(place) = data.kind
                && let Some(var) = root(hir, place)
            {
                facts.in_memory[var] = true;
            }
            if let H::FuncAddr(f) = data.kind {
                let f = &hir.funcs[f];
                let effect = super::libc_effects::of(&f.name);
                facts.allocates |= f.body.is_none()
                    && matches!(
                        effect,
                        Effect::Allocates { .. } | Effect::Reallocates | Effect::Duplicates
                    );
                facts.memory_maybe_unset |= props.uninit
                    && f.body.is_none()
                    && f.name != crate::library::OBJECT
                    && matches!(
                        effect,
                        Effect::Allocates { zeroed: false, .. } | Effect::Reallocates
                    );
                facts.uses_realloc |=
                    f.body.is_none() && f.name.trim_start_matches("__builtin_") == "realloc";
                facts.asks_for_objects |= asks_for_objects(&f.name);
                facts.approximates |= f.name.starts_with(crate::library::APPROXIMATE);
            }
            let (effects, pure) = facts.classify(hir, props, e);
            facts.effects[e] = effects;
            facts.pure[e] = pure;
        }
        // What another file defines may be reached through the pointers that it defines.
        let elsewhere = |data: &hir::VarData| {
            let known = super::access::is_standard_stream(&data.name);
            data.storage == hir::Storage::Global && !data.defined && !known
        };
        let reachable = hir.vars.iter().any(|(var, data)| {
            let used = mentioned.contains(&var);
            used && elsewhere(data) && holds_pointer(&hir.types, data.ty.ty)
        });
        for (var, data) in hir.vars.iter() {
            if reachable && elsewhere(data) {
                facts.in_memory[var] = true;
            }
            if !splittable(&hir.types, data.ty.ty) {
                facts.in_memory[var] = true;
            }
            facts.has_constants |= facts.in_memory[var] && is_constant(hir, data);
            facts.memory_maybe_unset |= facts.in_memory[var] && facts.maybe_unset[var];
        }
        let calls = CallGraph::new(hir);
        let recursive = hir.funcs.keys().filter(|f| calls.reaches(*f, *f));
        facts.recursive = recursive.collect();
        facts
    }

    fn classify(&self, hir: &Hir, props: Properties, e: hir::Expr) -> (bool, bool) {
        let data = &hir.exprs[e];
        let complex = |e: hir::Expr| matches!(hir.types.kind(hir.ty(e)), TyKind::Complex(_));
        let own_effect = match &data.kind {
            H::Assign(..)
            | H::AssignOp { .. }
            | H::AssignPtr { .. }
            | H::IncDec { .. }
            | H::Call { .. }
            | H::StmtExpr { .. }
            | H::CompoundLit { .. }
            | H::Unsupported(_) => true,
            H::PtrDiff(a, b) => is_label(hir, *a) || is_label(hir, *b),
            H::FuncAddr(f) | H::FuncRef(f) => hir.funcs[*f].odd.is_some(),
            // Operations on complex numbers end in incomplete locations.
            H::Binary(_, a, _) | H::Unary(_, a) => complex(*a),
            H::And(a, b) | H::Or(a, b) => complex(*a) || complex(*b),
            H::Cond(c, ..) | H::CondOmitted(c, _) => complex(*c),
            H::Cast(a) => complex(e) || complex(*a),
            H::Float(_) => complex(e),
            _ => false,
        };
        let check = match &data.kind {
            H::Deref(_) | H::Index { .. } => props.valid_deref || props.uninit,
            H::PtrAdd { .. } => props.valid_deref,
            H::Var(v) => self.maybe_unset[*v],
            H::Unary(hir::UnOp::Neg, a) => props.sees_overflow() && hir.types.is_signed(hir.ty(*a)),
            H::Binary(BinOp::Div | BinOp::Rem, a, _) if hir.types.is_integer(hir.ty(*a)) => {
                props.sees_overflow() || props.div_by_zero
            }
            H::Binary(BinOp::Shr, ..) => props.shift_range,
            H::Binary(BinOp::Shl, a, _) => {
                props.shift_range || (props.sees_overflow() && hir.types.is_signed(hir.ty(*a)))
            }
            H::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, a, _) => {
                props.sees_overflow() && hir.types.is_signed(hir.ty(*a))
            }
            // What does not fit has any value, which is a new one.
            H::Cast(a) => {
                let to = data.ty.ty;
                hir.types.is_floating(hir.ty(*a))
                    && hir.types.is_integer(to)
                    && to != hir.types.bool
            }
            _ => false,
        };
        let mut effects = own_effect;
        let mut pure = !own_effect && !check;
        for_each_child(&data.kind, |c| {
            effects |= self.effects[c];
            pure &= self.pure[c];
        });
        (effects, pure)
    }
}

/// Whether objects of a type hold addresses of objects.
pub fn holds_pointer(types: &Types, ty: Ty) -> bool {
    holds(types, ty, &|ty| match types.kind(ty) {
        TyKind::Pointer(to) => !types.is_function(to.ty),
        _ => false,
    })
}

/// Whether some part of an object that is no bit-field is of a type that is looked for.
pub fn holds(types: &Types, ty: Ty, is_it: &dyn Fn(Ty) -> bool) -> bool {
    match types.kind(ty) {
        TyKind::Array(elem, _) => holds(types, elem.ty, is_it),
        TyKind::Record(r) => {
            let mut fields = types.records[*r].fields.iter();
            fields.any(|f| f.width.is_none() && holds(types, f.ty.ty, is_it))
        }
        _ => is_it(ty),
    }
}

/// Whether an expression is the address of a label.
pub fn is_label(hir: &Hir, e: hir::Expr) -> bool {
    match hir.exprs[e].kind {
        H::LabelAddr(_) => true,
        H::Cast(a) => is_label(hir, a),
        _ => false,
    }
}

/// Whether an object must not be written: a compiler may put it where it cannot be (C11 6.7.3p6).
pub fn is_constant(hir: &Hir, data: &hir::VarData) -> bool {
    let mut ty = data.ty;
    while let TyKind::Array(elem, _) = hir.types.kind(ty.ty) {
        ty = elem.with(ty.quals);
    }
    ty.quals.has(Quals::CONST) && !ty.quals.has(Quals::VOLATILE)
}

/// The variable at the root of a chain of members and elements.
pub fn root(hir: &Hir, place: hir::Expr) -> Option<hir::Var> {
    match &hir.exprs[place].kind {
        H::Var(v) => Some(*v),
        H::CompoundLit { var, .. } => Some(*var),
        H::Field { base, .. } | H::Index { base, .. } => root(hir, *base),
        _ => None,
    }
}

/// Calls `visit` for the direct subexpressions.
pub fn for_each_child(kind: &H, mut visit: impl FnMut(hir::Expr)) {
    match kind {
        H::Var(_)
        | H::Str(_)
        | H::FuncRef(_)
        | H::Int(_)
        | H::Float(_)
        | H::FuncAddr(_)
        | H::LabelAddr(_)
        | H::SizeofVla(_)
        | H::VaArea
        | H::Unsupported(_)
        | H::StmtExpr { .. }
        | H::CompoundLit { .. } => {}
        H::Deref(a)
        | H::Field { base: a, .. }
        | H::Load(a)
        | H::Decay(a)
        | H::AddrOf(a)
        | H::Cast(a)
        | H::Unary(_, a)
        | H::IncDec { lhs: a, .. } => visit(*a),
        H::Index { base: a, index: b }
        | H::Binary(_, a, b)
        | H::And(a, b)
        | H::Or(a, b)
        | H::PtrAdd {
            ptr: a, index: b, ..
        }
        | H::PtrDiff(a, b)
        | H::CondOmitted(a, b)
        | H::Assign(a, b)
        | H::AssignOp { lhs: a, rhs: b, .. }
        | H::AssignPtr {
            lhs: a, index: b, ..
        }
        | H::Comma(a, b) => {
            visit(*a);
            visit(*b);
        }
        H::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| visit(*e)),
        H::Call { callee, args } => {
            visit(*callee);
            args.iter().for_each(|a| visit(*a));
        }
    }
}

/// Whether a type can be held in registers: no unions, known lengths, not too many parts.
pub fn splittable(types: &Types, ty: Ty) -> bool {
    let mut leaves = 0;
    let mut array = false;
    if !count_leaves(types, ty, &mut leaves, &mut array) {
        return false;
    }
    match types.kind(ty) {
        TyKind::Record(_) => {
            leaves <= MAX_LEAVES
                && (!array || types.size_of(ty).is_some_and(|s| s <= MAX_SPLIT_WITH_ARRAY))
        }
        _ => leaves <= MAX_LEAVES,
    }
}

fn count_leaves(types: &Types, ty: Ty, leaves: &mut usize, array: &mut bool) -> bool {
    match types.kind(ty) {
        TyKind::Array(elem, Length::Known(n)) => {
            *array = true;
            *n > 0 && types.size_of(ty).is_some() && count_leaves(types, elem.ty, leaves, array)
        }
        TyKind::Array(..) | TyKind::Complex(_) => false,
        TyKind::Record(r) => {
            let record = &types.records[*r];
            record.complete
                && !record.union
                && !record.fields.is_empty()
                && record
                    .fields
                    .iter()
                    .all(|f| count_leaves(types, f.ty.ty, leaves, array))
        }
        _ => {
            *leaves += 1;
            true
        }
    }
}

/// Which functions call which; a call through a pointer may reach any function whose address is taken.
pub struct CallGraph {
    callees: FxHashMap<hir::Func, Vec<hir::Func>>,
}

impl CallGraph {
    /// The calls of a program.
    pub fn new(hir: &Hir) -> CallGraph {
        let mut callees: FxHashMap<hir::Func, Vec<hir::Func>> = FxHashMap::default();
        let taken: Vec<hir::Func> = hir
            .funcs
            .iter()
            .filter(|(_, f)| f.address_taken && f.body.is_some())
            .map(|(id, _)| id)
            .collect();
        for (id, f) in hir.funcs.iter() {
            let Some(body) = f.body else { continue };
            let mut found = FxHashSet::default();
            Walk::new(hir, body).run(|e| {
                if let H::Call { callee, .. } = &hir.exprs[e].kind {
                    match hir.exprs[*callee].kind {
                        H::FuncAddr(g) => {
                            found.insert(g);
                            let data = &hir.funcs[g];
                            if data.body.is_none() && data.name.ends_with("exit") {
                                found.extend(super::lifecycle::at_the_end(hir));
                            }
                        }
                        _ => found.extend(taken.iter().copied()),
                    }
                }
            });
            let mut list: Vec<hir::Func> = found.into_iter().collect();
            list.sort_unstable();
            callees.insert(id, list);
        }
        CallGraph { callees }
    }

    /// Whether a call of one function may lead to a call of another.
    pub fn reaches(&self, start: hir::Func, to: hir::Func) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = vec![start];
        while let Some(f) = stack.pop() {
            for g in self.callees.get(&f).into_iter().flatten() {
                if *g == to {
                    return true;
                }
                if seen.insert(g.index()) {
                    stack.push(*g);
                }
            }
        }
        false
    }
}

/// Visits every expression below statements, without recursion.
pub struct Walk<'a> {
    hir: &'a Hir,
    stmts: Vec<hir::Stmt>,
    exprs: Vec<hir::Expr>,
    returns: Vec<hir::Expr>,
}

impl<'a> Walk<'a> {
    /// A walk over a function's body.
    pub fn new(hir: &'a Hir, body: hir::Stmt) -> Self {
        Walk {
            hir,
            stmts: vec![body],
            exprs: Vec::new(),
            returns: Vec::new(),
        }
    }

    /// A walk over an expression.
    pub fn of_expr(hir: &'a Hir, e: hir::Expr) -> Self {
        Walk {
            hir,
            stmts: Vec::new(),
            exprs: vec![e],
            returns: Vec::new(),
        }
    }

    /// All statements below a statement, itself among them.
    pub fn statements(hir: &'a Hir, body: hir::Stmt) -> impl Iterator<Item = hir::Stmt> {
        let mut found = Vec::new();
        Walk::new(hir, body).visit(|_| (), |s| found.push(s));
        found.into_iter()
    }

    /// The expressions of a statement, without those of statements below it.
    pub fn own_expressions(hir: &'a Hir, stmt: hir::Stmt) -> impl Iterator<Item = hir::Expr> {
        let mut walk = Walk::new(hir, stmt);
        walk.stmts.clear();
        walk.stmt(stmt);
        walk.stmts.clear();
        let mut found = Vec::new();
        while let Some(e) = walk.exprs.pop() {
            found.push(e);
            for_each_child(&hir.exprs[e].kind, |c| walk.exprs.push(c));
            if let H::CompoundLit { init, .. } = &hir.exprs[e].kind {
                walk.init(init);
            }
            if let H::StmtExpr { value, .. } = &hir.exprs[e].kind {
                walk.exprs.extend(value);
            }
        }
        found.into_iter()
    }

    /// The expressions of all return statements.
    pub fn returned(mut self) -> Vec<hir::Expr> {
        self.run(|_| ());
        self.returns
    }

    fn init(&mut self, init: &hir::Init) {
        self.exprs.extend(init.items.iter().map(|i| i.value));
    }

    /// Calls `visit` for each expression.
    pub fn run(&mut self, visit: impl FnMut(hir::Expr)) {
        self.visit(visit, |_| ());
    }

    fn visit(&mut self, mut visit: impl FnMut(hir::Expr), mut enter: impl FnMut(hir::Stmt)) {
        loop {
            while let Some(e) = self.exprs.pop() {
                visit(e);
                let hir = self.hir;
                let kind = &hir.exprs[e].kind;
                for_each_child(kind, |c| self.exprs.push(c));
                match kind {
                    H::StmtExpr { body, value } => {
                        self.stmts.extend(body);
                        self.exprs.extend(value);
                    }
                    H::CompoundLit { init, .. } => self.init(init),
                    _ => {}
                }
            }
            let Some(s) = self.stmts.pop() else { return };
            enter(s);
            self.stmt(s);
        }
    }

    fn stmt(&mut self, s: hir::Stmt) {
        let hir = self.hir;
        match &hir.stmts[s].kind {
            S::Empty | S::Goto(_) | S::Break | S::Continue | S::Asm | S::Return(None) => {}
            S::Expr(e) | S::GotoComputed(e) | S::Cleanup(e) => self.exprs.push(*e),
            S::Return(Some(e)) => {
                self.returns.push(*e);
                self.exprs.push(*e);
            }
            S::VlaLen(id) => self.exprs.push(hir.vlas[*id as usize]),
            S::Decl { init, .. } => {
                if let Some(init) = init {
                    self.init(init);
                }
            }
            S::Block(list) => self.stmts.extend(list),
            S::If { cond, then, other } => {
                self.exprs.push(*cond);
                self.stmts.push(*then);
                self.stmts.extend(other);
            }
            S::While { cond, body } | S::DoWhile { body, cond } => {
                self.exprs.push(*cond);
                self.stmts.push(*body);
            }
            S::For {
                init,
                cond,
                step,
                body,
            } => {
                self.stmts.extend(init);
                self.exprs.extend(cond);
                self.exprs.extend(step);
                self.stmts.push(*body);
            }
            S::Switch { value, body, .. } => {
                self.exprs.push(*value);
                self.stmts.push(*body);
            }
            S::Case(_, body) | S::Label(_, body) => self.stmts.push(*body),
        }
    }
}
