//! The functions of `z3_api.h` that we call, found by name in a loaded library. Enumerations are numbers here: a newer Z3
//! may return one that we do not know.

use std::ffi::{c_char, c_void};
use std::ptr::NonNull;
use trellis_solver_support::foreign_functions;

macro_rules! handles {
    ($($name:ident)*) => {
        $(
            #[derive(Clone, Copy, PartialEq, Eq, Hash)]
            #[repr(transparent)]
            pub(crate) struct $name(NonNull<c_void>);
        )*
    };
}

// Those of `z3_api.h`: `ZAst` is its `Z3_ast`.
handles! {
    ZConfig ZContext ZSymbol ZParams ZSort ZAst ZAstVector ZApp ZSolver ZModel ZFuncDecl ZFuncInterp ZFuncEntry
}

/// `Z3_error_handler`.
pub(crate) type ErrorHandler = unsafe extern "C" fn(ZContext, u32);

/// `Z3_lbool`.
pub(crate) const TRUE: i32 = 1;
pub(crate) const FALSE: i32 = -1;
/// `Z3_ast_kind` and `Z3_decl_kind`, as numbered since 4.13.3.
pub(crate) const APP_AST: u32 = 1;
pub(crate) const OP_STORE: u32 = 0x300;
pub(crate) const OP_CONST_ARRAY: u32 = 0x302;
pub(crate) const OP_AS_ARRAY: u32 = 0x30a;

// Types as z3_api.h of 4.13.3 and later declares them.
foreign_functions! {
    "Z3_";

    get_version(*mut u32, *mut u32, *mut u32, *mut u32);
    get_full_version() -> *const c_char;
    mk_config() -> Option<ZConfig>;
    del_config(ZConfig);
    mk_context_rc(ZConfig) -> Option<ZContext>;
    del_context(ZContext);
    set_error_handler(ZContext, Option<ErrorHandler>);
    get_error_code(ZContext) -> u32;
    get_error_msg(ZContext, u32) -> *const c_char;
    inc_ref(ZContext, ZAst);
    dec_ref(ZContext, ZAst);
    ast_to_string(ZContext, ZAst) -> *const c_char;
    mk_string_symbol(ZContext, *const c_char) -> Option<ZSymbol>;
    mk_int_symbol(ZContext, i32) -> Option<ZSymbol>;
    mk_params(ZContext) -> Option<ZParams>;
    params_inc_ref(ZContext, ZParams);
    params_dec_ref(ZContext, ZParams);
    params_set_uint(ZContext, ZParams, ZSymbol, u32);
    mk_bool_sort(ZContext) -> Option<ZSort>;
    mk_bv_sort(ZContext, u32) -> Option<ZSort>;
    mk_array_sort(ZContext, ZSort, ZSort) -> Option<ZSort>;
    mk_const(ZContext, ZSymbol, ZSort) -> Option<ZAst>;
    mk_true(ZContext) -> Option<ZAst>;
    mk_false(ZContext) -> Option<ZAst>;
    mk_bv_numeral(ZContext, u32, *const bool) -> Option<ZAst>;
    mk_not(ZContext, ZAst) -> Option<ZAst>;
    mk_and(ZContext, u32, *const ZAst) -> Option<ZAst>;
    mk_or(ZContext, u32, *const ZAst) -> Option<ZAst>;
    mk_eq(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_ite(ZContext, ZAst, ZAst, ZAst) -> Option<ZAst>;
    mk_implies(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvnot(ZContext, ZAst) -> Option<ZAst>;
    mk_bvneg(ZContext, ZAst) -> Option<ZAst>;
    mk_bvand(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvor(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvxor(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvadd(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvsub(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvmul(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvudiv(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvurem(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvsdiv(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvsrem(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvsmod(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvshl(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvlshr(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvashr(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvult(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvule(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvslt(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvsle(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvadd_no_overflow(ZContext, ZAst, ZAst, bool) -> Option<ZAst>;
    mk_bvadd_no_underflow(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvsub_no_overflow(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_bvsub_no_underflow(ZContext, ZAst, ZAst, bool) -> Option<ZAst>;
    mk_bvmul_no_overflow(ZContext, ZAst, ZAst, bool) -> Option<ZAst>;
    mk_bvmul_no_underflow(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_concat(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_extract(ZContext, u32, u32, ZAst) -> Option<ZAst>;
    mk_zero_ext(ZContext, u32, ZAst) -> Option<ZAst>;
    mk_sign_ext(ZContext, u32, ZAst) -> Option<ZAst>;
    mk_select(ZContext, ZAst, ZAst) -> Option<ZAst>;
    mk_store(ZContext, ZAst, ZAst, ZAst) -> Option<ZAst>;
    mk_const_array(ZContext, ZSort, ZAst) -> Option<ZAst>;
    mk_solver_for_logic(ZContext, ZSymbol) -> Option<ZSolver>;
    solver_inc_ref(ZContext, ZSolver);
    solver_dec_ref(ZContext, ZSolver);
    solver_set_params(ZContext, ZSolver, ZParams);
    solver_assert(ZContext, ZSolver, ZAst);
    solver_push(ZContext, ZSolver);
    solver_pop(ZContext, ZSolver, u32);
    solver_check_assumptions(ZContext, ZSolver, u32, *const ZAst) -> i32;
    solver_get_unsat_core(ZContext, ZSolver) -> Option<ZAstVector>;
    solver_get_model(ZContext, ZSolver) -> Option<ZModel>;
    solver_get_reason_unknown(ZContext, ZSolver) -> *const c_char;
    solver_interrupt(ZContext, ZSolver);
    ast_vector_inc_ref(ZContext, ZAstVector);
    ast_vector_dec_ref(ZContext, ZAstVector);
    ast_vector_size(ZContext, ZAstVector) -> u32;
    ast_vector_get(ZContext, ZAstVector, u32) -> Option<ZAst>;
    model_inc_ref(ZContext, ZModel);
    model_dec_ref(ZContext, ZModel);
    model_eval(ZContext, ZModel, ZAst, bool, *mut ZAst) -> bool;
    get_bool_value(ZContext, ZAst) -> i32;
    get_numeral_binary_string(ZContext, ZAst) -> *const c_char;
    get_ast_kind(ZContext, ZAst) -> u32;
    to_app(ZContext, ZAst) -> Option<ZApp>;
    get_app_decl(ZContext, ZApp) -> Option<ZFuncDecl>;
    get_app_num_args(ZContext, ZApp) -> u32;
    get_app_arg(ZContext, ZApp, u32) -> Option<ZAst>;
    get_decl_kind(ZContext, ZFuncDecl) -> u32;
    get_as_array_func_decl(ZContext, ZAst) -> Option<ZFuncDecl>;
    model_get_func_interp(ZContext, ZModel, ZFuncDecl) -> Option<ZFuncInterp>;
    func_interp_inc_ref(ZContext, ZFuncInterp);
    func_interp_dec_ref(ZContext, ZFuncInterp);
    func_interp_get_num_entries(ZContext, ZFuncInterp) -> u32;
    func_interp_get_entry(ZContext, ZFuncInterp, u32) -> Option<ZFuncEntry>;
    func_interp_get_else(ZContext, ZFuncInterp) -> Option<ZAst>;
    func_entry_inc_ref(ZContext, ZFuncEntry);
    func_entry_dec_ref(ZContext, ZFuncEntry);
    func_entry_get_value(ZContext, ZFuncEntry) -> Option<ZAst>;
    func_entry_get_arg(ZContext, ZFuncEntry, u32) -> Option<ZAst>;
}
