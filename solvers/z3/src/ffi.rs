//! Functions whose declaration in z3-sys returns a Rust enum: a newer Z3 may return a number the enum does not
//! have, which would be undefined behaviour. Here they return the number.

use std::ffi::{c_char, c_uint};
use z3_sys::{Z3_ast, Z3_ast_kind, Z3_context, Z3_decl_kind, Z3_func_decl};

unsafe extern "C" {
    pub(crate) fn Z3_get_error_code(c: Z3_context) -> c_uint;
    pub(crate) fn Z3_get_error_msg(c: Z3_context, code: c_uint) -> *const c_char;
    pub(crate) fn Z3_get_ast_kind(c: Z3_context, a: Z3_ast) -> c_uint;
    pub(crate) fn Z3_get_decl_kind(c: Z3_context, d: Z3_func_decl) -> c_uint;
}

/// The numbers of what we look for.
pub(crate) const APP_AST: c_uint = Z3_ast_kind::App as c_uint;
pub(crate) const OP_STORE: c_uint = Z3_decl_kind::Store as c_uint;
pub(crate) const OP_CONST_ARRAY: c_uint = Z3_decl_kind::ConstArray as c_uint;
pub(crate) const OP_AS_ARRAY: c_uint = Z3_decl_kind::AsArray as c_uint;
