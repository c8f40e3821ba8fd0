//! What runs before `main` and after it: constructors and destructors, in the order of glibc.

use super::Lowerer;
use crate::hir::{self, Hir};
use trellis_ivl::Call;

/// Constructors in the order in which they run: by priority, then as they are defined.
pub fn constructors(hir: &Hir) -> Vec<hir::Func> {
    in_order(hir, |data| data.linkage.constructor)
}

/// Destructors in the order in which they run: the other way round.
pub fn destructors(hir: &Hir) -> Vec<hir::Func> {
    let mut all = in_order(hir, |data| data.linkage.destructor);
    all.reverse();
    all
}

/// Whatever runs when the program ends by return from `main` or by `exit`.
pub fn at_the_end(hir: &Hir) -> Vec<hir::Func> {
    let mut all = registered(hir, AT_EXIT);
    all.extend(registered(hir, AT_QUICK_EXIT));
    all.extend(destructors(hir));
    all
}

/// The models that call what `atexit` and `at_quick_exit` have registered, where the program uses these.
const AT_EXIT: &str = "__library_at_exit";
const AT_QUICK_EXIT: &str = "__library_at_quick_exit";

fn registered(hir: &Hir, model: &str) -> Vec<hir::Func> {
    let f = hir.function(model);
    f.filter(|f| hir.funcs[*f].body.is_some())
        .into_iter()
        .collect()
}

fn in_order(hir: &Hir, priority: impl Fn(&hir::FuncData) -> Option<u32>) -> Vec<hir::Func> {
    let defined = hir.funcs.iter().filter(|(_, data)| data.body.is_some());
    let mut found: Vec<(u32, u32, hir::Func)> = defined
        .filter_map(|(f, data)| Some((priority(data)?, data.span.lo, f)))
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, _, f)| f).collect()
}

impl Lowerer<'_> {
    /// What must run before `main`.
    pub(super) fn run_constructors(&mut self) {
        for f in constructors(self.hir) {
            self.run(f);
        }
    }

    /// What runs when the program ends by return from `main` or by `exit`, after the functions that
    /// `atexit` has registered.
    pub(super) fn run_destructors(&mut self, returns: bool) {
        let hir = self.hir;
        let mut all = registered(hir, AT_EXIT);
        all.extend(destructors(hir));
        // Another function than main may be called again.
        let goes_on = returns && hir.funcs[self.entry].name != "main";
        if all.is_empty() || goes_on {
            return;
        }
        if let Some(ending) = self.ending {
            let again = self.p.pool.var(ending);
            let first = self.p.pool.not(again);
            self.require(first, "'exit' while the program ends");
            let tru = self.p.pool.tru();
            self.assign(ending, tru);
        }
        for f in all {
            self.run(f);
        }
    }

    /// What `at_quick_exit` has registered.
    pub(super) fn run_quick_handlers(&mut self) {
        for f in registered(self.hir, AT_QUICK_EXIT) {
            self.run(f);
        }
    }

    fn run(&mut self, f: hir::Func) {
        let data = &self.hir.funcs[f];
        if let Some(odd) = &data.odd {
            return self.incomplete(&format!("function '{}' with {odd}", data.name));
        }
        if !data.params.is_empty() {
            let reason = format!("parameters of '{}', which runs outside of main", data.name);
            return self.incomplete(&reason);
        }
        let info = self.proc_of(f);
        self.flush();
        let Some(from) = self.f.cur else { return };
        let results: Vec<_> = info.ret.iter().map(|r| self.p.pool.var_ty(*r)).collect();
        let results = results.into_iter().map(|ty| self.temp(ty)).collect();
        let after = self.new_loc();
        let call = Call {
            callee: info.proc,
            args: Vec::new(),
            results,
        };
        self.p.add_call(from, after, call, self.f.span);
        self.f.cur = Some(after);
        self.nothing_jumps();
    }
}
