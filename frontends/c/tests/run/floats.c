// Floating point: conversions, arithmetic, comparisons, memory, and what of math.h is exact. Each value that is computed goes
// into a checksum, NaNs as such.
typedef unsigned long long u64;
static unsigned sum = 1;
static void mix(u64 v) {
    sum = (sum ^ (unsigned)v) * 0x01000193u;
    sum = (sum ^ (unsigned)(v >> 32)) * 0x85ebca6bu;
    sum ^= sum >> 15;
}
static void mixf(float x) {
    union { float f; unsigned u; } p = {x};
    mix(x != x ? 1 : p.u);
}
static void mixd(double x) {
    union { double d; u64 u; } p = {x};
    mix(x != x ? 1 : p.u);
}
static void mixl(long double x) {
    union { long double d; struct { u64 low; unsigned short high; } s; } p;
    p.d = x;
    mix(x != x ? 1 : p.s.low);
    mix(x != x ? 1 : p.s.high);
}

double fabs(double), floor(double), ceil(double), trunc(double), round(double), rint(double), sqrt(double);
double fmod(double, double), remainder(double, double), ldexp(double, int), frexp(double, int *), modf(double, double *);
double copysign(double, double), nextafter(double, double), fmin(double, double), fmax(double, double), fdim(double, double);
double fma(double, double, double), logb(double), scalbn(double, int), remquo(double, double, int *);
float fabsf(float), floorf(float), sqrtf(float), fmodf(float, float), fmaf(float, float, float), nextafterf(float, float);
float ldexpf(float, int), roundf(float), remainderf(float, float), frexpf(float, int *), nexttowardf(float, long double);
long double fabsl(long double), floorl(long double), sqrtl(long double), fmodl(long double, long double), ceill(long double);
long double fmal(long double, long double, long double), nextafterl(long double, long double), ldexpl(long double, int);
long double remquol(long double, long double, int *), frexpl(long double, int *), roundl(long double), logbl(long double);
long lround(double), lrint(double);
long long llround(double), llrintf(float), llroundl(long double);
int ilogb(double), ilogbf(float), ilogbl(long double);

// Constants.
static const float third = 1.0f / 3.0f;
static double table[] = {1, 0.1, 1e-310, 0x1.8p-3, 1.7976931348623157e308, 4.9e-324, -0.0, 123456789.125, .5, 5., 1e22, 1e23};
static float singles[] = {1, 0.1f, 1e-40f, 0x1p-149f, 3.4028235e38f, -0.0f, 16777217, 16777216.5, 2.5f, -2.5f, 0.5f, 1.5f};
static long double longs[] = {1, 0.1L, 1e-4940L, 0x1p-16445L, 1.18973149535723176502e4932L, -0.0L, 18446744073709551615.0L, 0.5L, 2.5L};
static int truncated = (int)-2.9, condition = 0.1 + 0.2 == 0.3 ? 1 : 2, from_float = (int)(0.1f * 10), large = 1e10 > 1e9;
static unsigned char of_float = (unsigned char)255.9;
static double chosen = 1 ? 2 : 3.0, infinite = __builtin_inf(), huge = __builtin_huge_val(), of_int = 0x7fffffffffffffffLL;
static float of_double = 0.1, of_unsigned = 4294967295u, of_long = 0x7fffffffffffffbfLL;
static int classes = __builtin_isnan(0.0) + 2 * __builtin_isinf(__builtin_inff()) + 4 * __builtin_isnormal(1e-40f) + 8 * !__builtin_signbit(1.0);
struct point { float x, y; double z; };
static struct point points[2] = {{1.5f, -2.5f, 3.5}, {.z = 1e300, .x = 1}};

static void constants(void) {
    for (int i = 0; i < (int)(sizeof table / sizeof *table); i++) mixd(table[i]);
    for (int i = 0; i < (int)(sizeof singles / sizeof *singles); i++) mixf(singles[i]);
    for (int i = 0; i < (int)(sizeof longs / sizeof *longs); i++) mixl(longs[i]);
    mixf(third); mix(truncated); mix(condition); mix(from_float); mix(large); mix(of_float);
    mixd(chosen); mixd(infinite); mixd(huge); mixd(of_int); mixf(of_double); mixf(of_unsigned); mixf(of_long); mix(classes);
    mixf(points[0].x + points[0].y); mixd(points[1].z * points[1].x); mixl(0.1L - 0.1);
    mixd(1.00000017881393432617187499f); mixd(1e400 - 1e300); mixl(1e400L);
}

static void singles_and_ints(float x, float y) {
    mixf(x + y); mixf(x - y); mixf(x * y); mixf(x / y); mixf(-x); mixf(+y); mixf(x * y + x / y - y);
    mix(x < y); mix(x <= y); mix(x > y); mix(x >= y); mix(x == y); mix(x != y); mix(!x); mix(x && y); mix(x ? 3 : 4);
    mixd(x); mixl(y); mixd((double)x * y); mixl((long double)x / y); mixf(x + 1); mixd(y - 1.0); mixf(x ?: y);
    if (x > -2e9f && x < 2e9f) { mix((int)x); mix((long long)x); if (x > -1) mix((unsigned)x); }
    if (x > -120 && x < 120) { mix((signed char)x); mix((short)(x * 200)); }
    mix((_Bool)x); mix((_Bool)y);
    float z = x; z += y; mixf(z); z *= 1.5; mixf(z); z++; mixf(z); mixf(z--); mixf(--z); z /= 3; mixf(z); z -= 7u; mixf(z);
    int n = 5; n += 2.75f; mix(n); n *= 1.5; mix(n); unsigned char c = 200; c -= 0.5f; mix(c);
}
static void doubles(double x, double y) {
    mixd(x + y); mixd(x - y); mixd(x * y); mixd(x / y); mixd(-x); mixf((float)x); mixl(y); mixf(x * y);
    mix(x < y); mix(x <= y); mix(x > y); mix(x >= y); mix(x == y); mix(x != y); mix(!x || !y);
    if (x > -9e18 && x < 9e18) { mix((long long)x); if (x > -1) mix((u64)x); }
    double z = x; z -= y; mixd(z); z /= y; mixd(z); z++; mixd(z++); mixd(z); z *= (float)y; mixd(z);
}
static void longs_too(long double x, long double y) {
    mixl(x + y); mixl(x - y); mixl(x * y); mixl(x / y); mixl(-x); mixd(x); mixf(y);
    mix(x < y); mix(x <= y); mix(x == y); mix(x != y); mix(!x);
    if (x > -9e18L && x < 9e18L) { mix((long long)x); if (x > -1) mix((u64)x); }
    long double z = x; z += 1; mixl(z); z *= y; mixl(z--); mixl(z);
}
static void integers(int i, unsigned u, long long l, u64 v) {
    mixf(i); mixd(i); mixl(i); mixf(u); mixd(u); mixl(u); mixf(l); mixd(l); mixl(l); mixf(v); mixd(v); mixl(v);
    mixf((short)i); mixd((unsigned char)u); mixf((_Bool)i); mixd(i + 0.5f); mixd(l * 0.1);
}
static void functions(double x, double y) {
    mixd(fabs(x)); mixd(floor(x)); mixd(ceil(x)); mixd(trunc(x)); mixd(round(x)); mixd(rint(x)); mixd(sqrt(x));
    mixd(copysign(x, y)); mixd(nextafter(x, y)); mixd(fdim(x, y)); mixd(fma(x, y, 1.0)); mixd(logb(x)); mix(ilogb(x));
    if (x != 0 || y != 0) { mixd(fmin(x, y)); mixd(fmax(x, y)); }
    mixd(ldexp(x, 10)); mixd(ldexp(x, -1030)); mixd(scalbn(x, 2000)); mixd(scalbn(x, -2000));
    if (__builtin_isfinite(x)) {
        int e; double w;
        mixd(frexp(x, &e)); mix(e); mixd(modf(x, &w)); mixd(w);
        if (fabs(x) < 2e9) { mix(lround(x)); mix(lrint(x)); mix(llround(x)); }
        int gap = __builtin_isfinite(y) && x != 0 && y != 0 ? ilogb(x) - ilogb(y) : 0;
        if (gap < 60 && y != 0 && y == y) {
            mixd(fmod(x, y)); mixd(remainder(x, y));
            mixd(remquo(x, y, &e)); mix(e);
        }
    }
    mix(__builtin_isnan(x)); mix(__builtin_isinf(x)); mix(__builtin_isfinite(x)); mix(__builtin_isnormal(x)); mix(!!__builtin_signbit(x));
    mix(__builtin_isinf_sign(x)); mix(__builtin_fpclassify(10, 11, 12, 13, 14, x)); mix(__builtin_isgreater(x, y));
    mix(__builtin_isless(x, y)); mix(__builtin_islessgreater(x, y)); mix(__builtin_isunordered(x, y)); mix(__builtin_islessequal(x, y));
    mix(__builtin_isgreaterequal(x, (float)y));
}
static void functions_of_floats(float x, float y) {
    mixf(fabsf(x)); mixf(floorf(x)); mixf(roundf(x)); mixf(sqrtf(x)); mixf(fmaf(x, y, -1)); mixf(nextafterf(x, y)); mixf(ldexpf(x, -140));
    mixf(nexttowardf(x, y)); mix(__builtin_isnormal(x)); mix(__builtin_fpclassify(0, 1, 2, 3, 4, x)); mix(ilogbf(x)); mixf(__builtin_rintf(x));
    if (__builtin_isfinite(x) && y != 0) { int e; mixf(frexpf(x, &e)); mix(e); mixf(fmodf(x, y)); mixf(remainderf(x, y)); }
    if (x > -9e18f && x < 9e18f) mix(llrintf(x));
}
static void functions_of_longs(long double x, long double y) {
    mixl(fabsl(x)); mixl(floorl(x)); mixl(ceill(x)); mixl(roundl(x)); mixl(sqrtl(x)); mixl(fmal(x, y, 0.5L)); mixl(nextafterl(x, y));
    mixl(ldexpl(x, 3)); mixl(ldexpl(x, -16400)); mix(__builtin_isnormal(x)); mix(__builtin_isinf(x)); mix(__builtin_fpclassify(0, 1, 2, 3, 4, x));
    mix(ilogbl(x)); mixl(logbl(x)); mix(!!__builtin_signbit(x));
    if (__builtin_isfinite(x) && y != 0 && x != 0) {
        int e; mixl(frexpl(x, &e)); mix(e);
        if (__builtin_isfinite(y) && ilogbl(x) - ilogbl(y) < 40) { mixl(fmodl(x, y)); mixl(remquol(x, y, &e)); mix(e); }
        if (fabsl(x) < 9e18L) mix(llroundl(x));
    }
}

// Parameters and results without prototype, variable arguments, bytes in memory.
static double old_style(a, b) float a; double b; { return a + b; }
static double add_all(int n, ...) {
    __builtin_va_list list;
    double all = 0;
    __builtin_va_start(list, n);
    for (int i = 0; i < n; i++) all += i % 2 ? __builtin_va_arg(list, double) : (double)__builtin_va_arg(list, long double);
    __builtin_va_end(list);
    return all;
}
static void in_memory(float x, double y) {
    unsigned char *bytes = (unsigned char *)&y;
    for (int i = 0; i < (int)sizeof y; i++) mix(bytes[i]);
    bytes[7] ^= 0x80;
    mixd(y);
    double copy[3] = {y, x, y + x}, other[3], *p = copy;
    __builtin_memcpy(other, copy, sizeof other);
    mixd(other[2]); mixd(*++p); *p /= 3; mixd(copy[1]); mixd(other[1]);
    struct point a = {x, 2, y}, b = a;
    b.x *= 2; mixf(a.x); mixf(b.x); mixd(b.z);
    mixd(old_style(x, y)); mixd(add_all(4, (long double)x, (double)x, 2.0L, y));
    volatile float v = x; v = v * v; mixf(v);
}

int main(void) {
    float singles[] = {0, -0.0f, 1, -1, 0.1f, 2.5f, -3.5f, 1e-40f, 16777217, 3e38f, -7e9f, __builtin_inff(), __builtin_nanf("")};
    double doubles_[] = {0, -0.0, 1, -1.5, 0.1, 2.5, -3e-310, 4503599627370497.5, 1e308, -7e17, -__builtin_inf(), __builtin_nan("1")};
    long double longs_[] = {0, 1, -0.1L, 3e-4940L, 9223372036854775807.5L, -1e4932L, __builtin_infl()};
    constants();
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 13; j += 1 + i % 3) {
            singles_and_ints(singles[i], singles[j]);
            functions_of_floats(singles[i], singles[j]);
        }
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j += 1 + i % 3) {
            doubles(doubles_[i], doubles_[j]);
            functions(doubles_[i], doubles_[j]);
        }
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
            longs_too(longs_[i], longs_[j]);
            functions_of_longs(longs_[i], longs_[j]);
        }
    integers(0, 0, 0, 0); integers(-1, -1, -1, -1); integers(0x7fffffff, 16777217, 0x7fffffffffffffffLL, 1ULL << 63);
    integers(-123456789, 33554435, -9007199254740993LL, 0xfffffffffffffbffULL);
    in_memory(0.75f, -1.25); in_memory(1e30f, 5e-324);
    return sum % 251;
}
