//! One context of Yices as a [`ForeignSolver`].
//!
//! That a query makes the context have what is wanted hides that Yices refuses to push onto an unsatisfiable
//! context.

use crate::ffi::{
    EVAL_UNKNOWN_TERM, Functions, NULL, Pointer, STATUS_INTERRUPTED, STATUS_SAT, STATUS_UNKNOWN,
    STATUS_UNSAT, TermVector, ValVector, YTerm, YVal,
};
use crate::library::{CAPABILITIES, Lease, NAME, unavailable};
use crate::translate::{Translation, last_error};
use rustc_hash::FxHashSet;
use std::ffi::CString;
use trellis_ivl::{ArrayValue, Bv, Term, TermPool, Type, Value, Var};
use trellis_solver_api::{Answer, Capabilities, Result, SolverError, StopClock, UnknownReason};
use trellis_solver_support::{AssertionStack, ForeignSolver, Question, on_deep_stack};

/// What stops the search of a context, from whatever thread.
pub(crate) struct Stoppable {
    stop_search: unsafe extern "C" fn(Pointer),
    context: Pointer,
}
// SAFETY: `yices_stop_search` may be called from any thread; nothing else is done with the pointer there.
unsafe impl Send for Stoppable {}
// SAFETY: as above.
unsafe impl Sync for Stoppable {}

impl Stoppable {
    pub fn new(f: &Functions, context: Pointer) -> Stoppable {
        Stoppable {
            stop_search: f.stop_search,
            context,
        }
    }

    pub fn stop(&self) {
        // SAFETY: called during a query only, which the context outlives.
        unsafe { (self.stop_search)(self.context) };
    }
}

/// A query on its way to the thread that waits for it.
struct Query {
    check: unsafe extern "C" fn(Pointer, Pointer) -> i32,
    check_with_assumptions: unsafe extern "C" fn(Pointer, Pointer, u32, *const YTerm) -> i32,
    context: Pointer,
    parameters: Pointer,
    assumed: Vec<YTerm>,
}
// SAFETY: the library may be called by any thread, by one at a time. While the query runs nothing is called but
// `yices_stop_search`, which may be called at any time, and the lease lets nobody have the functions before a query
// that was left behind has returned.
unsafe impl Send for Query {}

impl Query {
    fn ask(self) -> i32 {
        // SAFETY: a valid context and parameter record; an array of as many terms as it says.
        unsafe {
            if self.assumed.is_empty() {
                (self.check)(self.context, self.parameters)
            } else {
                let (n, assumed) = (self.assumed.len() as u32, self.assumed.as_ptr());
                (self.check_with_assumptions)(self.context, self.parameters, n, assumed)
            }
        }
    }
}

/// A context without constant arrays; [`Yices`](crate::Yices) wraps it in what adds them.
pub(crate) struct YicesSolver {
    // The context is freed in `drop`, before the lease.
    pub(crate) translation: Translation,
    context: Pointer,
    parameters: Pointer,
    model: Pointer,
    assumptions: Vec<(YTerm, Term)>,
    core: Vec<Term>,
    signature: String,
    interpolates: bool,
    pub(crate) lease: Lease,
}

impl YicesSolver {
    pub(crate) fn new(lease: Lease, seed: u64, interpolates: bool) -> Result<YicesSolver> {
        let f = lease.functions();
        // SAFETY: a configuration is made, used and freed; strings are C strings that outlive the calls.
        let context = unsafe {
            let config = (f.new_config)();
            (f.default_config_for_logic)(config, c"QF_AUFBV".as_ptr());
            // Interactive: the context survives an interrupted search.
            (f.set_config)(config, c"mode".as_ptr(), c"interactive".as_ptr());
            let context = (f.new_context)(config);
            (f.free_config)(config);
            context
        };
        if context.is_null() {
            return Err(unavailable(format!("no context: {}", last_error(f))));
        }
        // SAFETY: a parameter record for a valid context; Yices copies the strings.
        let parameters = unsafe {
            let parameters = (f.new_param_record)();
            (f.default_params_for_context)(context, parameters);
            if seed != 0 {
                let seed = CString::new((seed & 0x7fff_ffff).to_string()).unwrap_or_default();
                (f.set_param)(parameters, c"random-seed".as_ptr(), seed.as_ptr());
            }
            parameters
        };
        Ok(YicesSolver {
            translation: Translation::default(),
            context,
            parameters,
            model: std::ptr::null_mut(),
            assumptions: Vec::new(),
            core: Vec::new(),
            signature: format!("Yices {}", lease.version()),
            interpolates,
            lease,
        })
    }

    pub(crate) fn error(&self, message: String) -> SolverError {
        SolverError::Backend {
            solver: NAME.to_string(),
            message,
        }
    }

    fn last_error(&self, doing: &str) -> SolverError {
        self.error(format!("{doing}: {}", last_error(self.lease.functions())))
    }

    pub(crate) fn term(&mut self, pool: &TermPool, t: Term) -> Result<YTerm> {
        let translated = self.translation.term(self.lease.functions(), pool, t);
        translated.map_err(|e| self.error(e))
    }

    fn forget_model(&mut self) {
        if !self.model.is_null() {
            // SAFETY: a model that was made by `get_model` and is forgotten here.
            unsafe { (self.lease.functions().free_model)(self.model) };
            self.model = std::ptr::null_mut();
        }
    }

    /// Makes the context have what is wanted; false when it is unsatisfiable before that.
    fn sync(&mut self, pool: &TermPool, stack: &mut AssertionStack) -> Result<bool> {
        let superfluous = stack.superfluous();
        for _ in 0..superfluous {
            // SAFETY: a valid context with an open level that is not searching.
            if unsafe { (self.lease.functions().pop)(self.context) } != 0 {
                return Err(self.last_error("pop"));
            }
        }
        stack.popped(superfluous);
        while !stack.refuted() {
            if let Some(t) = stack.next_assertion() {
                let y = self.term(pool, t)?;
                // SAFETY: a valid context that is not searching, and a term of this library.
                if unsafe { (self.lease.functions().assert_formula)(self.context, y) } != 0 {
                    return Err(self.last_error("assert"));
                }
                stack.asserted();
                // The next assertion would make Yices forget that.
                // SAFETY: a valid context.
                if unsafe { (self.lease.functions().context_status)(self.context) } == STATUS_UNSAT
                {
                    stack.refute();
                }
            } else if stack.missing_level() {
                let f = self.lease.functions();
                // SAFETY: a valid context that is not searching.
                if unsafe { (f.push)(self.context) } != 0 {
                    // SAFETY: as above.
                    if unsafe { (f.context_status)(self.context) } != STATUS_UNSAT {
                        return Err(self.last_error("push"));
                    }
                    // SAFETY: takes nothing.
                    unsafe { (f.clear_error)() };
                    stack.refute();
                } else {
                    stack.pushed();
                }
            } else {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn search(&mut self, stack: &mut AssertionStack, asked: &Question<'_>) -> Result<Answer> {
        let Question {
            pool,
            assumptions,
            clock,
        } = *asked;
        self.forget_model();
        self.assumptions.clear();
        for &t in assumptions {
            let y = self.term(pool, t)?;
            self.assumptions.push((y, t));
        }
        if !self.sync(pool, stack)? {
            self.core.clear();
            return Ok(Answer::Unsat);
        }
        let f = self.lease.functions();
        let query = Query {
            check: f.check_context,
            check_with_assumptions: f.check_context_with_assumptions,
            context: self.context,
            parameters: self.parameters,
            assumed: self.assumptions.iter().map(|&(y, _)| y).collect(),
        };
        let (stoppable, height) = (Stoppable::new(f, self.context), self.translation.height());
        let stop = move || stoppable.stop();
        let ask = move || on_deep_stack(height, || query.ask());
        let Some(status) = self.lease.run(clock, stop, ask) else {
            return Ok(Answer::Unknown(clock.why_stopped()));
        };
        match status {
            STATUS_SAT => Ok(Answer::Sat),
            STATUS_UNSAT => {
                self.core = self.core_of_context()?;
                // Yices would forget a refutation that it found while it had assumptions.
                if self.core.is_empty() {
                    stack.refute();
                }
                Ok(Answer::Unsat)
            }
            STATUS_UNKNOWN => Ok(Answer::Unknown(UnknownReason::Incomplete(
                "Yices answered unknown".to_string(),
            ))),
            STATUS_INTERRUPTED => Ok(Answer::Unknown(clock.why_stopped())),
            _ => Err(self.last_error("check")),
        }
    }

    fn core_of_context(&self) -> Result<Vec<Term>> {
        if self.assumptions.is_empty() {
            return Ok(Vec::new());
        }
        let (f, context) = (self.lease.functions(), self.context);
        // SAFETY: a context in state UNSAT and an initialised vector.
        let core = self.with_vector(|vector| unsafe { (f.get_unsat_core)(context, vector) });
        let Some(core) = core else {
            return Err(self.last_error("get the core"));
        };
        let mut core: FxHashSet<YTerm> = core.into_iter().collect();
        // Two assumptions may be one term of Yices; the first stands for both.
        let used = |&(y, t): &(YTerm, Term)| core.remove(&y).then_some(t);
        Ok(self.assumptions.iter().filter_map(used).collect())
    }

    /// The current model.
    pub(crate) fn model(&mut self) -> Result<Pointer> {
        if self.model.is_null() {
            // SAFETY: a valid context in state SAT, which no call has left since the query.
            self.model = on_deep_stack(self.translation.height(), || unsafe {
                (self.lease.functions().get_model)(self.context, 1)
            });
            if self.model.is_null() {
                return Err(self.last_error("get the model"));
            }
        }
        Ok(self.model)
    }

    fn read_var(&self, model: Pointer, ty: Type, v: Var) -> Result<Option<Value>> {
        let f = self.lease.functions();
        let Some(y) = self.translation.var(v) else {
            return Ok(None);
        };
        // SAFETY: a valid model and a term of its tables; buffers are as large as the type demands.
        let (code, value) = unsafe {
            match ty {
                Type::Bool => {
                    let mut value = 0;
                    let code = (f.get_bool_value)(model, y, &mut value);
                    (code, Value::Bool(value != 0))
                }
                Type::Bv(w) => {
                    let mut bits = vec![0; w as usize];
                    let code = (f.get_bv_value)(model, y, bits.as_mut_ptr());
                    (code, Value::Bv(from_bits(&bits)))
                }
                Type::Array { index, elem } => {
                    let mut value = YVal { id: 0, tag: 0 };
                    let code = (f.get_value)(model, y, &mut value);
                    let array = match code {
                        NULL => None,
                        _ => self.read_array(model, &value, index, elem),
                    };
                    match array {
                        Some(array) => (code, Value::Array(array)),
                        None => (NULL, Value::zero(ty)),
                    }
                }
            }
        };
        if code == NULL {
            // SAFETY: takes nothing.
            if unsafe { (f.error_code)() } != EVAL_UNKNOWN_TERM {
                return Err(self.last_error("read a value"));
            }
            // A variable that does not matter.
            // SAFETY: as above.
            unsafe { (f.clear_error)() };
            return Ok(None);
        }
        Ok(Some(value))
    }

    /// A function as default and mappings.
    ///
    /// # Safety
    /// `value` is a value of `model`.
    unsafe fn read_array(
        &self,
        model: Pointer,
        value: &YVal,
        index: u32,
        elem: u32,
    ) -> Option<ArrayValue> {
        let f = self.lease.functions();
        let bits = |value: &YVal, width: u32| {
            let mut bits = vec![0; width as usize];
            // SAFETY: a value of the model and a buffer for the width of its type.
            let code = unsafe { (f.val_get_bv)(model, value, bits.as_mut_ptr()) };
            (code != NULL).then(|| from_bits(&bits))
        };
        let mut default = YVal { id: 0, tag: 0 };
        // SAFETY: the vector is initialised, filled and deleted here; its entries are values of the model.
        unsafe {
            let mut mappings = std::mem::MaybeUninit::<ValVector>::uninit();
            (f.init_yval_vector)(mappings.as_mut_ptr());
            let mut mappings = mappings.assume_init();
            let code = (f.val_expand_function)(model, value, &mut default, &mut mappings);
            let array = (code != NULL).then(|| {
                // The default has no value where every index is listed.
                let default = bits(&default, elem).unwrap_or_else(|| Bv::zero(elem));
                let mut array = ArrayValue::constant(index, default);
                for i in 0..mappings.size as usize {
                    let mapping = *mappings.data.add(i);
                    let (mut at, mut to) = (YVal { id: 0, tag: 0 }, YVal { id: 0, tag: 0 });
                    if (f.val_expand_mapping)(model, &mapping, &mut at, &mut to) == NULL {
                        return None;
                    }
                    array = array.store(bits(&at, index)?, bits(&to, elem)?);
                }
                Some(array)
            });
            (f.delete_yval_vector)(&mut mappings);
            array.flatten()
        }
    }

    /// Calls `fill` with a new vector and returns what it holds then.
    pub(crate) fn with_vector(
        &self,
        fill: impl FnOnce(*mut TermVector) -> i32,
    ) -> Option<Vec<YTerm>> {
        let f = self.lease.functions();
        // SAFETY: the vector is initialised, filled, copied and deleted here; `data` has `size` entries.
        unsafe {
            let mut vector = std::mem::MaybeUninit::<TermVector>::uninit();
            (f.init_term_vector)(vector.as_mut_ptr());
            let mut vector = vector.assume_init();
            let code = fill(&mut vector);
            let terms = (0..vector.size as usize)
                .map(|i| *vector.data.add(i))
                .collect();
            (f.delete_term_vector)(&mut vector);
            (code != NULL).then_some(terms)
        }
    }
}

fn from_bits(bits: &[i32]) -> Bv {
    let bits: Vec<bool> = bits.iter().map(|&b| b != 0).collect();
    Bv::from_bits(&bits)
}

impl Drop for YicesSolver {
    fn drop(&mut self) {
        self.forget_model();
        let f = self.lease.functions();
        // SAFETY: both are owned and freed once; no query is running.
        unsafe {
            (f.free_param_record)(self.parameters);
            (f.free_context)(self.context);
        }
    }
}

impl ForeignSolver for YicesSolver {
    fn signature(&self) -> &str {
        &self.signature
    }

    fn capabilities(&self) -> Capabilities {
        if self.interpolates {
            CAPABILITIES | Capabilities::INTERPOLATION
        } else {
            CAPABILITIES
        }
    }

    fn decide(&mut self, stack: &mut AssertionStack, asked: &Question<'_>) -> Result<Answer> {
        // Translated first: how high the terms are decides how much stack Yices needs for them.
        for t in stack.pending().chain(asked.assumptions.iter().copied()) {
            self.term(asked.pool, t)?;
        }
        on_deep_stack(self.translation.height(), || self.search(stack, asked))
    }

    fn read_vars(
        &mut self,
        pool: &TermPool,
        vars: &[Var],
        _: &StopClock,
    ) -> Result<Vec<Option<Value>>> {
        let model = self.model()?;
        let read = |&v| self.read_var(model, pool.var_ty(v), v);
        vars.iter().map(read).collect()
    }

    fn read_core(&mut self, _: &StopClock) -> Result<Vec<Term>> {
        Ok(self.core.clone())
    }

    fn generalize(&mut self, pool: &mut TermPool, formulas: &[Term], keep: &[Var]) -> Result<Term> {
        for &t in formulas {
            self.term(pool, t)?;
        }
        on_deep_stack(self.translation.height(), || {
            self.generalize_model(pool, formulas, keep)
        })
    }

    fn interpolate(
        &mut self,
        pool: &mut TermPool,
        a: Term,
        b: Term,
        clock: &StopClock,
    ) -> Result<Option<Term>> {
        if self.interpolates {
            return self.interpolate_pair(pool, a, b, clock);
        }
        Err(SolverError::Unsupported {
            solver: self.signature.clone(),
            missing: Capabilities::INTERPOLATION,
            what: "interpolate without the option `interpolate`".into(),
        })
    }
}
