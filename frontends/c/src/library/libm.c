/* math.h: functions of which only bounds are known, which hold for every library, and the special cases that C
   fixes. */
REAL __library_approximate_@(void);
void __library_error(int);
void __VERIFIER_assume(int);
enum { EDOM = 33, ERANGE = 34 };
static REAL undefined(void) {
    __library_error(EDOM);
    return __builtin_nan@("");
}
static REAL pole(REAL sign) {
    __library_error(ERANGE);
    return __builtin_copysign@(__builtin_inf@(), sign);
}
/* A number of the sign of x; where it is infinite although x is not, that is told. */
static void signed_like(REAL r, REAL x) {
    __VERIFIER_assume(x > 0 ? r >= 0 : r <= 0);
    if (__builtin_isinf(r) && !__builtin_isinf(x))
        __library_error(ERANGE);
}
REAL sin@(REAL);
REAL cos@(REAL);
void sincos@(REAL x, REAL *sine, REAL *cosine) {
    *sine = sin@(x);
    *cosine = cos@(x);
}
REAL sin@(REAL x) {
    if (__builtin_isnan(x) || x == 0)
        return x;
    if (__builtin_isinf(x))
        return undefined();
    REAL r = __library_approximate_@();
    __VERIFIER_assume(-1 <= r && r <= 1);
    if (-3 < x && x < 3)
        __VERIFIER_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
REAL cos@(REAL x) {
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return undefined();
    REAL r = __library_approximate_@();
    __VERIFIER_assume(-1 <= r && r <= 1);
    if (-1.5 < x && x < 1.5)
        __VERIFIER_assume(r >= 0);
    return r;
}
REAL tan@(REAL x) {
    if (__builtin_isnan(x) || x == 0)
        return x;
    if (__builtin_isinf(x))
        return undefined();
    REAL r = __library_approximate_@();
    __VERIFIER_assume(__builtin_isfinite(r));
    if (-1.5 < x && x < 1.5)
        __VERIFIER_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
REAL asin@(REAL x) {
    if (__builtin_isnan(x) || x == 0)
        return x;
    if (x < -1 || x > 1)
        return undefined();
    REAL r = __library_approximate_@();
    signed_like(r, x);
    __VERIFIER_assume(-(REAL)1.5707965 <= r && r <= (REAL)1.5707965);
    return r;
}
REAL acos@(REAL x) {
    if (__builtin_isnan(x))
        return x;
    if (x == 1)
        return 0;
    if (x < -1 || x > 1)
        return undefined();
    REAL r = __library_approximate_@();
    __VERIFIER_assume(0 <= r && r <= (REAL)3.1415928);
    return r;
}
REAL atan@(REAL x) {
    if (__builtin_isnan(x) || x == 0)
        return x;
    REAL r = __library_approximate_@();
    signed_like(r, x);
    __VERIFIER_assume(-(REAL)1.5707965 <= r && r <= (REAL)1.5707965);
    return r;
}
REAL atan2@(REAL y, REAL x) {
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return __builtin_nan@("");
    if (y == 0 && (x > 0 || (x == 0 && !__builtin_signbit(x))))
        return y;
    REAL r = __library_approximate_@();
    __VERIFIER_assume(-(REAL)3.1415928 <= r && r <= (REAL)3.1415928);
    __VERIFIER_assume(__builtin_signbit(y) ? r <= 0 : r >= 0);
    if (x > 0)
        __VERIFIER_assume(-(REAL)1.5707965 <= r && r <= (REAL)1.5707965);
    return r;
}
REAL sinh@(REAL x) {
    if (__builtin_isnan(x) || x == 0 || __builtin_isinf(x))
        return x;
    REAL r = __library_approximate_@();
    signed_like(r, x);
    return r;
}
REAL cosh@(REAL x) {
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return __builtin_inf@();
    REAL r = __library_approximate_@();
    __VERIFIER_assume(r >= 1);
    signed_like(r, 1);
    return r;
}
REAL acosh@(REAL x) {
    if (__builtin_isnan(x))
        return x;
    if (x == 1)
        return 0;
    if (__builtin_isinf(x) && x > 0)
        return x;
    if (x < 1)
        return undefined();
    REAL r = __library_approximate_@();
    __VERIFIER_assume(r >= 0 && __builtin_isfinite(r));
    return r;
}
REAL atanh@(REAL x) {
    if (__builtin_isnan(x) || x == 0)
        return x;
    if (x == 1 || x == -1)
        return pole(x);
    if (x < -1 || x > 1)
        return undefined();
    REAL r = __library_approximate_@();
    signed_like(r, x);
    __VERIFIER_assume(__builtin_isfinite(r));
    return r;
}
/* Of any base beyond 1. */
static REAL exponential(REAL x) {
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return x > 0 ? x : 0;
    REAL r = __library_approximate_@();
    __VERIFIER_assume(x > 0 ? r >= 1 : 0 <= r && r <= 1);
    if (__builtin_isinf(r) || r == 0)
        __library_error(ERANGE);
    return r;
}
REAL exp@(REAL x) {
    return exponential(x);
}
REAL exp2@(REAL x) {
    return exponential(x);
}
REAL exp10@(REAL x) {
    return exponential(x);
}
static REAL logarithm(REAL x) {
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return pole(-1);
    if (x < 0)
        return undefined();
    if (x == 1)
        return 0;
    if (__builtin_isinf(x))
        return x;
    REAL r = __library_approximate_@();
    __VERIFIER_assume(x > 1 ? r >= 0 : r <= 0);
    __VERIFIER_assume(__builtin_isfinite(r));
    return r;
}
REAL log@(REAL x) {
    return logarithm(x);
}
REAL log2@(REAL x) {
    return logarithm(x);
}
REAL log10@(REAL x) {
    return logarithm(x);
}
/* From -1 to 1, through 0. */
static REAL sigmoid(REAL x) {
    if (__builtin_isinf(x))
        return __builtin_copysign@(1, x);
    if (__builtin_isnan(x) || x == 0)
        return x;
    REAL r = __library_approximate_@();
    signed_like(r, x);
    __VERIFIER_assume(-1 <= r && r <= 1);
    return r;
}
REAL tanh@(REAL x) {
    return sigmoid(x);
}
REAL erf@(REAL x) {
    return sigmoid(x);
}
/* Of the sign of x, and finite where x is. */
static REAL slow(REAL x) {
    if (__builtin_isnan(x) || x == 0 || __builtin_isinf(x))
        return x;
    REAL r = __library_approximate_@();
    signed_like(r, x);
    __VERIFIER_assume(__builtin_isfinite(r));
    return r;
}
REAL asinh@(REAL x) {
    return slow(x);
}
REAL cbrt@(REAL x) {
    return slow(x);
}
REAL expm1@(REAL x) {
    if (__builtin_isnan(x) || x == 0)
        return x;
    if (__builtin_isinf(x))
        return x > 0 ? x : -1;
    REAL r = __library_approximate_@();
    signed_like(r, x);
    __VERIFIER_assume(r >= -1);
    return r;
}
REAL log1p@(REAL x) {
    if (__builtin_isnan(x) || x == 0)
        return x;
    if (x == -1)
        return pole(-1);
    if (x < -1)
        return undefined();
    if (__builtin_isinf(x))
        return x;
    REAL r = __library_approximate_@();
    signed_like(r, x);
    __VERIFIER_assume(__builtin_isfinite(r));
    return r;
}
REAL erfc@(REAL x) {
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return x > 0 ? 0 : 2;
    REAL r = __library_approximate_@();
    __VERIFIER_assume(x > 0 ? 0 <= r && r <= 1 : 1 <= r && r <= 2);
    return r;
}
REAL hypot@(REAL x, REAL y) {
    if (__builtin_isinf(x) || __builtin_isinf(y))
        return __builtin_inf@();
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return __builtin_nan@("");
    if (x == 0)
        return __builtin_fabs@(y);
    if (y == 0)
        return __builtin_fabs@(x);
    REAL r = __library_approximate_@();
    signed_like(r, 1);
    return r;
}
REAL pow@(REAL x, REAL y) {
    if (y == 0 || x == 1)
        return 1;
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return __builtin_nan@("");
    if (x == -1 && __builtin_isinf(y))
        return 1;
    if (x < 0 && __builtin_isfinite(x) && __builtin_isfinite(y) && __builtin_trunc@(y) != y)
        return undefined();
    REAL r = __library_approximate_@(), size = __builtin_fabs@(x);
    __VERIFIER_assume(!__builtin_isnan(r));
    if (x >= 0 && !__builtin_signbit(x))
        __VERIFIER_assume(r >= 0);
    if (size >= 1)
        __VERIFIER_assume(y > 0 ? r >= 1 || r <= -1 : -1 <= r && r <= 1);
    else
        __VERIFIER_assume(y < 0 ? r >= 1 || r <= -1 : -1 <= r && r <= 1);
    if (x == 0)
        __VERIFIER_assume(y > 0 ? r == 0 : __builtin_isinf(r));
    if (__builtin_isfinite(x) && __builtin_isfinite(y) && (__builtin_isinf(r) || (r == 0 && x != 0)))
        __library_error(ERANGE);
    return r;
}
