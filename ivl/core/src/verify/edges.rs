//! The rules about edges: where they lead, what their commands mention, how calls fit.

use super::{Entity, Verifier};
use crate::cmd::CmdView;
use crate::entity::{Cmd, Edge, Proc, Term, Var};
use crate::pool::Scope;
use crate::program::{Action, Call, LocKind};
use crate::text::MAX_NESTING;
use crate::ty::Type;
use cranelift_entity::EntityRef;
use rustc_hash::FxHashSet;

impl Verifier<'_> {
    /// Edges by procedure, so that a term used all over a procedure is walked once.
    pub(super) fn edges(&mut self) {
        let p = self.p;
        let mut order: Vec<(Proc, Edge)> = Vec::with_capacity(p.edges.len());
        for (e, d) in p.edges.iter() {
            let entity = Entity::Edge(e);
            self.span(entity, d.span);
            if !(self.loc_exists(entity, d.from) & self.loc_exists(entity, d.to)) {
                continue;
            }
            let (from, to) = (&p.locs[d.from], &p.locs[d.to]);
            if from.proc != to.proc {
                let message = format!("it leads from {} to {}", from.proc, to.proc);
                self.error(entity, "L1", message);
            }
            let is_exit = p
                .procs
                .get(from.proc)
                .is_some_and(|d2| d2.exit == Some(d.from));
            let ends = match from.kind {
                LocKind::Error(_) => Some("error"),
                LocKind::Incomplete(_) => Some("incomplete"),
                LocKind::Plain => is_exit.then_some("exit"),
            };
            if let Some(what) = ends {
                let message = format!("it leaves the {what} location {}", d.from);
                self.error(entity, "L3", message);
            }
            order.push((from.proc, e));
        }
        order.sort_by_key(|&(proc, _)| proc);
        for (proc, e) in order {
            match &p.edges[e].action {
                Action::Cmd(c) => self.command(proc, e, *c),
                Action::Call(call) => self.call(proc, e, call),
            }
        }
    }

    /// The term, where it exists, with all its variables in scope.
    fn term(&mut self, proc: Proc, e: Edge, root: Term) -> Option<Type> {
        let entity = Entity::Edge(e);
        let pool = &self.p.pool;
        if root.index() >= pool.len() {
            self.error(entity, "N1", format!("there is no term {}", root.index()));
            return None;
        }
        let mut stack = vec![root];
        while let Some(t) = stack.pop() {
            if self.seen[t].expand() == Some(proc) {
                continue;
            }
            self.seen[t] = proc.into();
            self.ty(entity, pool.ty(t));
            if let Some(v) = pool.as_var(t) {
                self.scope(proc, entity, v);
            }
            stack.extend(pool.args(t));
        }
        Some(pool.ty(root))
    }

    fn scope(&mut self, proc: Proc, entity: Entity, v: Var) {
        if !self.var_exists(entity, v) {
            return;
        }
        match self.p.pool.var_data(v).scope {
            Scope::Local(owner) if owner != proc => {
                let message = format!("{} is a local of {owner}, not of {proc}", self.name(v));
                self.error(entity, "C1", message);
            }
            Scope::Auxiliary => {
                let message = format!("{} is auxiliary", self.name(v));
                self.error(entity, "C1", message);
            }
            Scope::Global | Scope::Local(_) => {}
        }
    }

    /// Assigned variables: in scope, none twice.
    fn targets(&mut self, proc: Proc, e: Edge, vars: impl Iterator<Item = Var>) {
        let entity = Entity::Edge(e);
        let mut seen = FxHashSet::default();
        for v in vars {
            self.scope(proc, entity, v);
            if !seen.insert(v) {
                self.error(entity, "C2", format!("{v} is assigned twice at once"));
            }
        }
    }

    fn command(&mut self, proc: Proc, e: Edge, c: Cmd) {
        let entity = Entity::Edge(e);
        let p = self.p;
        if c.index() >= p.cmds.len() {
            self.error(entity, "N1", format!("there is no command {c}"));
            return;
        }
        if self.depth[c.index()] > MAX_NESTING {
            let depth = self.depth[c.index()];
            self.error(
                entity,
                "C3",
                format!("its command nests {depth} levels deep"),
            );
        }
        p.cmds.for_each_leaf(c, |leaf| match leaf {
            CmdView::Assume(t) => {
                if let Some(ty) = self.term(proc, e, t)
                    && ty != Type::Bool
                {
                    self.error(entity, "T2", format!("it assumes a {ty}"));
                }
            }
            CmdView::Assign(items) => {
                self.targets(proc, e, items.iter().map(|&(v, _)| v));
                for &(v, t) in items {
                    let found = self.term(proc, e, t);
                    self.assigned(entity, "T3", v, found);
                }
            }
            CmdView::Havoc(items) => {
                self.targets(proc, e, items.iter().map(|&(v, _)| v));
                for &(v, i) in items {
                    let found = p.inputs.get(i).map(|d| d.ty);
                    if found.is_none() {
                        self.error(entity, "N1", format!("there is no input {i}"));
                    }
                    self.assigned(entity, "T4", v, found);
                }
            }
            _ => {}
        });
    }

    /// Something of type `found` is given to `v`.
    fn assigned(&mut self, entity: Entity, rule: &'static str, v: Var, found: Option<Type>) {
        let want = self.p.pool.vars().get(v).map(|d| d.ty);
        if let (Some(want), Some(found)) = (want, found)
            && want != found
        {
            let message = format!("{} is {want}, what it is given {found}", self.name(v));
            self.error(entity, rule, message);
        }
    }

    fn call(&mut self, proc: Proc, e: Edge, call: &Call) {
        let entity = Entity::Edge(e);
        self.targets(proc, e, call.results.iter().copied());
        let args: Vec<_> = call.args.iter().map(|&t| self.term(proc, e, t)).collect();
        let Some(callee) = self.p.procs.get(call.callee) else {
            let message = format!("there is no procedure {}", call.callee);
            self.error(entity, "N1", message);
            return;
        };
        let (params, results) = (callee.params.len(), callee.results.len());
        for (what, want, found) in [
            ("arguments", params, args.len()),
            ("results", results, call.results.len()),
        ] {
            if want != found {
                let message = format!("{found} {what} for the {want} of `{}`", callee.name);
                self.error(entity, "P3", message);
            }
        }
        for (&v, found) in callee.params.iter().zip(args) {
            self.assigned(entity, "P3", v, found);
        }
        for (&v, &result) in call.results.iter().zip(&callee.results) {
            let found = self.p.pool.vars().get(result).map(|d| d.ty);
            self.assigned(entity, "P3", v, found);
        }
    }
}
