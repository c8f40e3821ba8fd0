/* Floating numbers from text: stdlib.h. Which characters are one is exact, and so is the value of few digits with a small
   exponent, which takes one rounding; of others only sign and range are known. */
typedef unsigned long size;
void __library_error(int);
void __VERIFIER_assume(int);
float __library_approximate_float(void);
double __library_approximate_double(void);
long double __library_approximate_long_double(void);
enum { ERANGE = 34 };
enum { NONE, NUMBER, INFINITE, NOTHING_KNOWN, NOT_A_NUMBER };
/* What stands at the beginning of a text: digits * 10^exponent. */
struct decimal { int kind, negative; unsigned long long digits; long exponent; size length; };
static int lower(char c) { return 'A' <= c && c <= 'Z' ? c - 'A' + 'a' : c; }
static int is_digit(char c) { return '0' <= c && c <= '9'; }
static int is_hex(char c) { return is_digit(c) || ('a' <= lower(c) && lower(c) <= 'f'); }
static size word(const char *s, const char *w) {
    size n = 0;
    while (w[n] && lower(s[n]) == w[n])
        n++;
    return w[n] ? 0 : n;
}
/* Digits before and behind a point; more than 19 of them are not kept. */
static size digits(const char *s, struct decimal *d, int hex) {
    size i = 0, any = 0, kept = 0, point = 0;
    for (;; i++) {
        if (s[i] == '.' && !point) {
            point = i + 1;
            continue;
        }
        if (!(hex ? is_hex(s[i]) : is_digit(s[i])))
            break;
        any = 1;
        if (hex || kept == 19) {
            d->kind = NOTHING_KNOWN;
            continue;
        }
        d->digits = d->digits * 10 + (s[i] - '0');
        kept += d->digits != 0;
        d->exponent -= point != 0;
    }
    return any ? i : 0;
}
/* An exponent behind its letter, if there is one. */
static size exponent(const char *s, char letter, struct decimal *d) {
    if (lower(s[0]) != letter)
        return 0;
    size i = s[1] == '-' || s[1] == '+' ? 2 : 1;
    if (!is_digit(s[i]))
        return 0;
    long n = 0;
    for (; is_digit(s[i]); i++)
        if (n < 100000)
            n = n * 10 + (s[i] - '0');
    d->exponent += s[1] == '-' ? -n : n;
    return i;
}
static void read(const char *s, struct decimal *d) {
    size i = 0, n;
    d->kind = NONE;
    d->negative = 0;
    d->digits = 0;
    d->exponent = 0;
    d->length = 0;
    while (s[i] == ' ' || ('\t' <= s[i] && s[i] <= '\r'))
        i++;
    if (s[i] == '-' || s[i] == '+') {
        d->negative = s[i] == '-';
        i++;
    }
    if ((n = word(s + i, "infinity")) || (n = word(s + i, "inf"))) {
        d->kind = INFINITE;
        d->length = i + n;
        return;
    }
    if ((n = word(s + i, "nan"))) {
        d->kind = NOT_A_NUMBER;
        size close = i + n + 1;
        if (s[i + n] == '(') {
            while (is_digit(s[close]) || ('a' <= lower(s[close]) && lower(s[close]) <= 'z') || s[close] == '_')
                close++;
            if (s[close] == ')')
                n = close + 1 - i;
        }
        d->length = i + n;
        return;
    }
    int hex = s[i] == '0' && lower(s[i + 1]) == 'x' && (is_hex(s[i + 2]) || (s[i + 2] == '.' && is_hex(s[i + 3])));
    if (hex)
        i += 2;
    d->kind = NUMBER;
    n = digits(s + i, d, hex);
    if (n == 0) {
        d->kind = NONE;
        d->negative = 0;
        return;
    }
    i += n;
    d->length = i + exponent(s + i, hex ? 'p' : 'e', d);
}
static void ends(const char *s, char **end, const struct decimal *d) {
    if (end)
        *end = (char *)s + d->length;
}
float strtof(const char *s, char **end) {
    struct decimal d;
    read(s, &d);
    ends(s, end, &d);
    float value = 0, power = 1;
    if (d.kind == INFINITE)
        value = __builtin_inff();
    else if (d.kind == NOT_A_NUMBER)
        value = __builtin_nanf("");
    else if (d.kind == NUMBER && (d.digits == 0 || (d.digits < 1 << 24 && -10 <= d.exponent && d.exponent <= 10))) {
        for (long i = 0; d.digits && (i < d.exponent || i < -d.exponent); i++)
            power *= 10;
        value = d.exponent < 0 ? d.digits / power : d.digits * power;
    } else if (d.kind != NONE) {
        value = __library_approximate_float();
        __VERIFIER_assume(value >= 0);
        if (value < 0x1p-126f || __builtin_isinf(value))
            __library_error(ERANGE);
    }
    return d.negative ? -value : value;
}
static double real(const char *s, char **end) {
    struct decimal d;
    read(s, &d);
    ends(s, end, &d);
    double value = 0, power = 1;
    if (d.kind == INFINITE)
        value = __builtin_inf();
    else if (d.kind == NOT_A_NUMBER)
        value = __builtin_nan("");
    else if (d.kind == NUMBER && (d.digits == 0 || (d.digits < 1ULL << 53 && -22 <= d.exponent && d.exponent <= 22))) {
        for (long i = 0; d.digits && (i < d.exponent || i < -d.exponent); i++)
            power *= 10;
        value = d.exponent < 0 ? d.digits / power : d.digits * power;
    } else if (d.kind != NONE) {
        value = __library_approximate_double();
        __VERIFIER_assume(value >= 0);
        if (value < 0x1p-1022 || __builtin_isinf(value))
            __library_error(ERANGE);
    }
    return d.negative ? -value : value;
}
long double strtold(const char *s, char **end) {
    struct decimal d;
    read(s, &d);
    ends(s, end, &d);
    long double value = 0, power = 1;
    if (d.kind == INFINITE)
        value = __builtin_infl();
    else if (d.kind == NOT_A_NUMBER)
        value = __builtin_nanl("");
    else if (d.kind == NUMBER && (d.digits == 0 || (-27 <= d.exponent && d.exponent <= 27))) {
        for (long i = 0; d.digits && (i < d.exponent || i < -d.exponent); i++)
            power *= 10;
        value = d.exponent < 0 ? d.digits / power : d.digits * power;
    } else if (d.kind != NONE) {
        value = __library_approximate_long_double();
        __VERIFIER_assume(value >= 0);
        if (value < 0x1p-16382L || __builtin_isinf(value))
            __library_error(ERANGE);
    }
    return d.negative ? -value : value;
}
double strtod(const char *s, char **end) { return real(s, end); }
double atof(const char *s) { return real(s, 0); }
