//! The functions of Z3 as jumps through a table.
//!
//! `z3-sys` declares them as external symbols; here they are defined. A function that is called but not listed
//! is an error of the linker, so the list is complete. The symbols are hidden: they meet nobody else's.

use std::arch::global_asm;
use std::sync::atomic::{AtomicPtr, Ordering};

/// What a jump leads to before a library is loaded. No safe code gets there.
extern "C" fn not_loaded() -> ! {
    eprintln!("Z3 was called before it was loaded");
    std::process::abort();
}

macro_rules! delayed {
    ($($name:ident)*) => {
        /// Names of the functions, in the order of the table.
        pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),*];

        #[allow(non_camel_case_types)]
        #[repr(usize)]
        enum Slot { $($name),* }

        $(global_asm!(
            concat!(".globl ", stringify!($name)),
            concat!(".hidden ", stringify!($name)),
            concat!(".type ", stringify!($name), ",@function"),
            concat!(stringify!($name), ":"),
            "jmp *{table}+8*{slot}(%rip)",
            table = sym TABLE,
            slot = const Slot::$name as usize,
            options(att_syntax)
        );)*
    };
}

/// Where the jumps lead. Written once, by the loader, before any jump.
static TABLE: [AtomicPtr<()>; NAMES.len()] =
    [const { AtomicPtr::new(not_loaded as *mut ()) }; NAMES.len()];

/// Sets the target of a jump.
///
/// # Safety
/// `target` is the function that z3-sys declares by the name at `slot`, and stays mapped.
pub(crate) unsafe fn set(slot: usize, target: *mut ()) {
    TABLE[slot].store(target, Ordering::Release);
}

delayed! {
    Z3_get_version Z3_get_full_version
    Z3_mk_config Z3_del_config Z3_mk_context_rc Z3_del_context Z3_set_error_handler
    Z3_get_error_code Z3_get_error_msg Z3_set_param_value
    Z3_inc_ref Z3_dec_ref Z3_ast_to_string
    Z3_mk_string_symbol Z3_mk_int_symbol
    Z3_mk_params Z3_params_inc_ref Z3_params_dec_ref Z3_params_set_uint Z3_params_set_bool
    Z3_mk_bool_sort Z3_mk_bv_sort Z3_mk_array_sort
    Z3_mk_const Z3_mk_true Z3_mk_false Z3_mk_bv_numeral
    Z3_mk_not Z3_mk_and Z3_mk_or Z3_mk_eq Z3_mk_ite Z3_mk_implies
    Z3_mk_bvnot Z3_mk_bvneg Z3_mk_bvand Z3_mk_bvor Z3_mk_bvxor
    Z3_mk_bvadd Z3_mk_bvsub Z3_mk_bvmul Z3_mk_bvudiv Z3_mk_bvurem Z3_mk_bvsdiv Z3_mk_bvsrem
    Z3_mk_bvsmod Z3_mk_bvshl Z3_mk_bvlshr Z3_mk_bvashr
    Z3_mk_bvult Z3_mk_bvule Z3_mk_bvslt Z3_mk_bvsle
    Z3_mk_bvadd_no_overflow Z3_mk_bvadd_no_underflow Z3_mk_bvsub_no_overflow
    Z3_mk_bvsub_no_underflow Z3_mk_bvmul_no_overflow Z3_mk_bvmul_no_underflow
    Z3_mk_concat Z3_mk_extract Z3_mk_zero_ext Z3_mk_sign_ext
    Z3_mk_select Z3_mk_store Z3_mk_const_array
    Z3_mk_solver_for_logic Z3_solver_inc_ref Z3_solver_dec_ref Z3_solver_set_params
    Z3_solver_assert Z3_solver_push Z3_solver_pop Z3_solver_check_assumptions
    Z3_solver_get_unsat_core Z3_solver_get_model Z3_solver_get_reason_unknown Z3_solver_interrupt
    Z3_ast_vector_inc_ref Z3_ast_vector_dec_ref Z3_ast_vector_size Z3_ast_vector_get
    Z3_model_inc_ref Z3_model_dec_ref Z3_model_eval Z3_get_bool_value Z3_get_numeral_binary_string
    Z3_get_ast_kind Z3_to_app Z3_get_app_decl Z3_get_app_num_args Z3_get_app_arg Z3_get_decl_kind
    Z3_get_as_array_func_decl Z3_model_get_func_interp Z3_func_interp_inc_ref
    Z3_func_interp_dec_ref Z3_func_interp_get_num_entries Z3_func_interp_get_entry
    Z3_func_interp_get_else Z3_func_entry_inc_ref Z3_func_entry_dec_ref Z3_func_entry_get_value
    Z3_func_entry_get_arg
}
