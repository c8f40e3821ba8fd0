//! The functions of `yices.h` that we call, found by name in a loaded library.

use std::ffi::{c_char, c_void};
use trellis_solver_support::foreign_functions;

/// `term_t`.
pub(crate) type YTerm = i32;
/// `type_t`.
pub(crate) type YType = i32;
/// Pointers to `context_t`, `model_t`, `ctx_config_t` and `param_t`.
pub(crate) type Pointer = *mut c_void;

/// `NULL_TERM`, `NULL_TYPE` and the error code of functions that return an integer.
pub(crate) const NULL: i32 = -1;
/// `EVAL_UNKNOWN_TERM`.
pub(crate) const EVAL_UNKNOWN_TERM: i32 = 600;

/// `smt_status_t`.
pub(crate) const STATUS_UNKNOWN: i32 = 2;
pub(crate) const STATUS_SAT: i32 = 3;
pub(crate) const STATUS_UNSAT: i32 = 4;
pub(crate) const STATUS_INTERRUPTED: i32 = 5;

/// `term_vector_t`.
#[repr(C)]
pub(crate) struct TermVector {
    pub capacity: u32,
    pub size: u32,
    pub data: *mut YTerm,
}

/// `yval_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct YVal {
    pub id: i32,
    pub tag: i32,
}

/// `yval_vector_t`.
#[repr(C)]
pub(crate) struct ValVector {
    pub capacity: u32,
    pub size: u32,
    pub data: *mut YVal,
}

/// `interpolation_context_t`.
#[repr(C)]
pub(crate) struct InterpolationContext {
    pub a: Pointer,
    pub b: Pointer,
    pub interpolant: YTerm,
    pub model: Pointer,
}

// Types as yices.h of 2.6 and 2.7 declares them.
foreign_functions! {
    "yices_";

    init();
    reset();
    error_code() -> i32;
    error_string() -> *mut c_char;
    clear_error();
    free_string(*mut c_char);

    bool_type() -> YType;
    bv_type(u32) -> YType;
    function_type1(YType, YType) -> YType;
    new_uninterpreted_term(YType) -> YTerm;
    term_bitsize(YTerm) -> u32;

    r#true() -> YTerm;
    r#false() -> YTerm;
    not(YTerm) -> YTerm;
    and2(YTerm, YTerm) -> YTerm;
    or2(YTerm, YTerm) -> YTerm;
    xor2(YTerm, YTerm) -> YTerm;
    eq(YTerm, YTerm) -> YTerm;
    neq(YTerm, YTerm) -> YTerm;
    distinct(u32, *mut YTerm) -> YTerm;
    ite(YTerm, YTerm, YTerm) -> YTerm;
    application1(YTerm, YTerm) -> YTerm;
    update1(YTerm, YTerm, YTerm) -> YTerm;

    bvconst_from_array(u32, *const i32) -> YTerm;
    bvconst_zero(u32) -> YTerm;
    bvnot(YTerm) -> YTerm;
    bvneg(YTerm) -> YTerm;
    bvand2(YTerm, YTerm) -> YTerm;
    bvor2(YTerm, YTerm) -> YTerm;
    bvxor2(YTerm, YTerm) -> YTerm;
    bvadd(YTerm, YTerm) -> YTerm;
    bvsub(YTerm, YTerm) -> YTerm;
    bvmul(YTerm, YTerm) -> YTerm;
    bvdiv(YTerm, YTerm) -> YTerm;
    bvrem(YTerm, YTerm) -> YTerm;
    bvsdiv(YTerm, YTerm) -> YTerm;
    bvsrem(YTerm, YTerm) -> YTerm;
    bvsmod(YTerm, YTerm) -> YTerm;
    bvshl(YTerm, YTerm) -> YTerm;
    bvlshr(YTerm, YTerm) -> YTerm;
    bvashr(YTerm, YTerm) -> YTerm;
    bvlt_atom(YTerm, YTerm) -> YTerm;
    bvle_atom(YTerm, YTerm) -> YTerm;
    bvge_atom(YTerm, YTerm) -> YTerm;
    bvslt_atom(YTerm, YTerm) -> YTerm;
    bvsle_atom(YTerm, YTerm) -> YTerm;
    bvsge_atom(YTerm, YTerm) -> YTerm;
    bvconcat2(YTerm, YTerm) -> YTerm;
    bvextract(YTerm, u32, u32) -> YTerm;
    bitextract(YTerm, u32) -> YTerm;
    bvarray(u32, *const YTerm) -> YTerm;
    zero_extend(YTerm, u32) -> YTerm;
    sign_extend(YTerm, u32) -> YTerm;

    term_constructor(YTerm) -> i32;
    term_num_children(YTerm) -> i32;
    term_child(YTerm, i32) -> YTerm;
    proj_index(YTerm) -> i32;
    proj_arg(YTerm) -> YTerm;
    bool_const_value(YTerm, *mut i32) -> i32;
    bv_const_value(YTerm, *mut i32) -> i32;
    bvsum_component(YTerm, i32, *mut i32, *mut YTerm) -> i32;
    product_component(YTerm, i32, *mut YTerm, *mut u32) -> i32;

    new_config() -> Pointer;
    free_config(Pointer);
    set_config(Pointer, *const c_char, *const c_char) -> i32;
    default_config_for_logic(Pointer, *const c_char) -> i32;
    new_param_record() -> Pointer;
    free_param_record(Pointer);
    default_params_for_context(Pointer, Pointer);
    set_param(Pointer, *const c_char, *const c_char) -> i32;
    new_context(Pointer) -> Pointer;
    free_context(Pointer);
    context_status(Pointer) -> i32;
    push(Pointer) -> i32;
    pop(Pointer) -> i32;
    assert_formula(Pointer, YTerm) -> i32;
    check_context(Pointer, Pointer) -> i32;
    check_context_with_assumptions(Pointer, Pointer, u32, *const YTerm) -> i32;
    check_context_with_interpolation(*mut InterpolationContext, Pointer, i32) -> i32;
    stop_search(Pointer);
    get_unsat_core(Pointer, *mut TermVector) -> i32;
    init_term_vector(*mut TermVector);
    delete_term_vector(*mut TermVector);

    get_model(Pointer, i32) -> Pointer;
    free_model(Pointer);
    get_bool_value(Pointer, YTerm, *mut i32) -> i32;
    get_bv_value(Pointer, YTerm, *mut i32) -> i32;
    get_value(Pointer, YTerm, *mut YVal) -> i32;
    init_yval_vector(*mut ValVector);
    delete_yval_vector(*mut ValVector);
    val_expand_function(Pointer, *const YVal, *mut YVal, *mut ValVector) -> i32;
    val_expand_mapping(Pointer, *const YVal, *mut YVal, *mut YVal) -> i32;
    val_get_bv(Pointer, *const YVal, *mut i32) -> i32;
    generalize_model_array(
        Pointer, u32, *const YTerm, u32, *const YTerm, i32, *mut TermVector
    ) -> i32;
}
