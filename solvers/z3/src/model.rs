//! Values of variables in a model of Z3.

use crate::ffi::{
    APP_AST, FALSE, Functions, OP_AS_ARRAY, OP_CONST_ARRAY, OP_STORE, TRUE, ZAst, ZContext, ZModel,
};
use crate::library::NAME;
use crate::translate::Context;
use std::ffi::CStr;
use trellis_ivl::{ArrayValue, Bv, Type, Value, Var};
use trellis_solver_api::SolverError;
use trellis_solver_smtlib::value::read_values;

/// A model, freed before its context.
pub(crate) struct Model {
    f: &'static Functions,
    raw: ZModel,
    context: ZContext,
}

impl Model {
    /// Takes over what `Z3_solver_get_model` returned.
    pub fn new(context: &Context, raw: Option<ZModel>) -> Result<Model, SolverError> {
        context.check("get the model")?;
        let raw = raw.ok_or_else(|| failed("there is no model"))?;
        // SAFETY: a model of this context that was just returned.
        unsafe { (context.f.model_inc_ref)(context.raw, raw) };
        Ok(Model {
            f: context.f,
            raw,
            context: context.raw,
        })
    }

    /// The value of a variable; `None` when Z3 has not met it.
    pub fn value(&self, context: &Context, v: Var, ty: Type) -> Result<Option<Value>, SolverError> {
        let Some(ast) = context.var(v) else {
            return Ok(None);
        };
        let mut value = ast;
        // SAFETY: a model and a term of this context; the result is written to a local.
        let done = unsafe { (self.f.model_eval)(self.context, self.raw, ast, true, &mut value) };
        if !done {
            context.check("evaluate")?;
            return Err(failed("a variable has no value"));
        }
        // SAFETY: a term of this context that was just returned; released below.
        unsafe { (self.f.inc_ref)(self.context, value) };
        let read = self
            .read(value, ty)
            .map_or_else(|| self.read_text(value, ty), Ok);
        // SAFETY: referenced above.
        unsafe { (self.f.dec_ref)(self.context, value) };
        read.map(Some)
    }

    /// A value in a form that is rare, like an array as a `lambda`: read as the SMT-LIB that Z3 prints.
    fn read_text(&self, value: ZAst, ty: Type) -> Result<Value, SolverError> {
        // SAFETY: a term of this context; the string lives until the next call.
        let text = unsafe { CStr::from_ptr((self.f.ast_to_string)(self.context, value)) };
        let text = format!("((value {}))", text.to_string_lossy());
        match read_values(&text, &[ty]) {
            Ok(mut values) => Ok(values.remove(0)),
            Err(e) => Err(failed(&format!("a value that cannot be read: {e}"))),
        }
    }

    fn read(&self, value: ZAst, ty: Type) -> Option<Value> {
        match ty {
            Type::Bool => {
                // SAFETY: a term of this context.
                match unsafe { (self.f.get_bool_value)(self.context, value) } {
                    TRUE => Some(Value::Bool(true)),
                    FALSE => Some(Value::Bool(false)),
                    _ => None,
                }
            }
            Type::Bv(width) => self.numeral(value, width).map(Value::Bv),
            Type::Array { index, elem } => self.array(value, index, elem).map(Value::Array),
        }
    }

    fn numeral(&self, ast: ZAst, width: u32) -> Option<Bv> {
        // SAFETY: a term of this context; null or empty for one that is no numeral.
        let digits = unsafe {
            let text = (self.f.get_numeral_binary_string)(self.context, ast);
            if text.is_null() {
                return None;
            }
            CStr::from_ptr(text).to_bytes()
        };
        if digits.is_empty() {
            return None;
        }
        // Without leading zeros, the highest bit first.
        let mut bits: Vec<bool> = digits.iter().rev().map(|&d| d == b'1').collect();
        bits.resize(width as usize, false);
        Some(Bv::from_bits(&bits))
    }

    /// A chain of stores over a constant array or a function.
    fn array(&self, ast: ZAst, index: u32, elem: u32) -> Option<ArrayValue> {
        let (f, c) = (self.f, self.context);
        let mut entries = Vec::new();
        let mut ast = ast;
        // SAFETY: terms of this context, kept alive by the value they are parts of; arguments are asked for
        // only where the operation has them.
        let mut array = unsafe {
            loop {
                if (f.get_ast_kind)(c, ast) != APP_AST {
                    return None;
                }
                let app = (f.to_app)(c, ast)?;
                let decl = (f.get_app_decl)(c, app)?;
                match ((f.get_decl_kind)(c, decl), (f.get_app_num_args)(c, app)) {
                    (OP_STORE, 3) => {
                        let at = self.numeral((f.get_app_arg)(c, app, 1)?, index)?;
                        let to = self.numeral((f.get_app_arg)(c, app, 2)?, elem)?;
                        entries.push((at, to));
                        ast = (f.get_app_arg)(c, app, 0)?;
                    }
                    (OP_CONST_ARRAY, 1) => {
                        let default = self.numeral((f.get_app_arg)(c, app, 0)?, elem)?;
                        break ArrayValue::constant(index, default);
                    }
                    (OP_AS_ARRAY, _) => break self.function(ast, index, elem)?,
                    _ => return None,
                }
            }
        };
        for (at, to) in entries.into_iter().rev() {
            array = array.store(at, to);
        }
        Some(array)
    }

    /// The table of the function in `(_ as-array f)`.
    fn function(&self, ast: ZAst, index: u32, elem: u32) -> Option<ArrayValue> {
        let (f, c) = (self.f, self.context);
        // SAFETY: an as-array term of this context; the interpretation and its entries are released here.
        unsafe {
            let decl = (f.get_as_array_func_decl)(c, ast)?;
            let table = (f.model_get_func_interp)(c, self.raw, decl)?;
            (f.func_interp_inc_ref)(c, table);
            let array = (|| {
                let default = self.numeral((f.func_interp_get_else)(c, table)?, elem)?;
                let mut array = ArrayValue::constant(index, default);
                for i in 0..(f.func_interp_get_num_entries)(c, table) {
                    let entry = (f.func_interp_get_entry)(c, table, i)?;
                    (f.func_entry_inc_ref)(c, entry);
                    let pair = (|| {
                        let at = self.numeral((f.func_entry_get_arg)(c, entry, 0)?, index)?;
                        let to = self.numeral((f.func_entry_get_value)(c, entry)?, elem)?;
                        Some((at, to))
                    })();
                    (f.func_entry_dec_ref)(c, entry);
                    let (at, to) = pair?;
                    array = array.store(at, to);
                }
                Some(array)
            })();
            (f.func_interp_dec_ref)(c, table);
            array
        }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: owned; the context outlives it, see the order of fields in the session.
        unsafe { (self.f.model_dec_ref)(self.context, self.raw) };
    }
}

fn failed(message: &str) -> SolverError {
    SolverError::Backend {
        solver: NAME.to_string(),
        message: message.to_string(),
    }
}
