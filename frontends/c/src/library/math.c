/* math.h: functions that loop or store through pointers. All are exact. */
WORD __library_significand@(REAL);
void __library_error(int);
int __library_any_int(void);
enum { EDOM = 33 };
static REAL undefined(void) {
    __library_error(EDOM);
    return __builtin_nan@("");
}
REAL fmod@(REAL x, REAL y) {
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return __builtin_nan@("");
    if (__builtin_isinf(x) || y == 0)
        return undefined();
    if (__builtin_fabs@(x) < __builtin_fabs@(y) || x == 0)
        return x;
    int e = __builtin_ilogb@(x), least = __builtin_ilogb@(y);
    WORD m = __library_significand@(x), n = __library_significand@(y);
    if (m >= n)
        m -= n;
    /* Twice m is less than twice n, but may be more than a WORD holds. */
    for (; e > least; e--)
        m = m >= n - m ? m - (n - m) : m + m;
    return __builtin_copysign@(__builtin_scalbn@(m, least - DIGITS + 1), x);
}
REAL remquo@(REAL, REAL, int *);
REAL remainder@(REAL x, REAL y) {
    int quotient;
    return remquo@(x, y, &quotient);
}
REAL drem@(REAL x, REAL y) {
    int quotient;
    return remquo@(x, y, &quotient);
}
/* The quotient has three bits, as glibc gives it. */
REAL remquo@(REAL x, REAL y, int *quotient) {
    *quotient = 0;
    if (__builtin_isnan(x) || __builtin_isnan(y)) {
        *quotient = __library_any_int();
        return __builtin_nan@("");
    }
    if (__builtin_isinf(x) || y == 0) {
        *quotient = __library_any_int();
        return undefined();
    }
    if (__builtin_isinf(y) || x == 0)
        return x;
    int e = __builtin_ilogb@(x), least = __builtin_ilogb@(y);
    WORD m = __library_significand@(x), n = __library_significand@(y);
    unsigned times = 0;
    int over = 0;
    /* Less than a half. */
    if (e < least - 1 || (e == least - 1 && m <= n))
        return x;
    if (e == least - 1) {
        m = n - (m - n);
        least = e;
        times = 1;
        over = 1;
    } else {
        if (m >= n) {
            m -= n;
            times = 1;
        }
        for (; e > least; e--) {
            times += times;
            if (m >= n - m) {
                m = m - (n - m);
                times++;
            } else {
                m += m;
            }
        }
        if (m > n - m || (m == n - m && times % 2)) {
            m = n - m;
            times++;
            over = 1;
        }
    }
    REAL rest = __builtin_scalbn@(m, least - DIGITS + 1);
    *quotient = (x < 0) == (y < 0) ? times % 8 : -(int)(times % 8);
    return (x < 0) == over ? rest : -rest;
}
REAL modf@(REAL x, REAL *whole) {
    *whole = __builtin_trunc@(x);
    return __builtin_copysign@(__builtin_isinf(x) ? 0 : x - *whole, x);
}
REAL frexp@(REAL x, int *exponent) {
    *exponent = 0;
    if (x == 0)
        return x;
    if (!__builtin_isfinite(x)) {
        *exponent = __library_any_int();
        return x;
    }
    int e = __builtin_ilogb@(x) + 1;
    *exponent = e;
    return __builtin_scalbn@(x, -e);
}
