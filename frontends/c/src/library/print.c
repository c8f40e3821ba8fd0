/* stdio.h: text printed into memory, one function for each conversion. A call whose format is a literal becomes calls
   of these (sema::formats); for other formats format.c reads the format. */
typedef unsigned long size;
int *__errno_location(void);
long __library_any_long(void);
void __library_incomplete(const char *);
void __VERIFIER_assume(int);
void *malloc(size);
long __library_approximate_long(void);
/* The last three say which conversion of a floating number; f where none does. */
enum { LEFT = 1, PLUS = 2, SPACE = 4, OTHER = 8, ZERO = 16, UPPER = 32, EXPONENT = 64, SHORTER = 128, BITS = 256 };
enum { EOVERFLOW = 75 };
/* Where the text goes: `room` bytes at `to`; `done` have been printed, written or not. */
struct sink { char *to; size room, done; char **block; };
static struct sink *put(struct sink *s, char c) {
    if (s->done + 1 < s->room)
        s->to[s->done] = c;
    s->done++;
    return s;
}
static void pad(struct sink *s, char c, size n) {
    for (size i = 0; i < n; i++)
        put(s, c);
}
static size missing(int width, size n) { return width > 0 && (size)width > n ? width - n : 0; }
/* Blanks on one side of a text of n characters; a negative width means the right one. */
static void blanks(void *sink, int flags, int width, size n, int before) {
    if (before != ((flags & LEFT) || width < 0))
        pad(sink, ' ', missing(width < 0 ? -width : width, n));
}
static struct sink *start(char *to, size room, char **block) {
    static struct sink s;
    s.to = to;
    s.room = room;
    s.done = 0;
    s.block = block;
    return &s;
}
void *__library_print_into(char *to, size room) { return start(to, room, 0); }
/* A block of its own, as large as the text turns out to be. */
void *__library_print_block(char **block) {
    size room = (__library_any_long() & 0x7fffffff) + 1UL;
    char *to = malloc(room);
    return start(to, to ? room : 0, block);
}
int __library_printed(void *sink) {
    struct sink *s = sink;
    if (s->block) {
        if (!s->to)
            return -1;
        __VERIFIER_assume(s->room == s->done + 1);
        *s->block = s->to;
    }
    if (s->room > 0)
        s->to[s->done < s->room ? s->done : s->room - 1] = 0;
    if (s->done > 0x7fffffff) {
        *__errno_location() = EOVERFLOW;
        return -1;
    }
    return (int)s->done;
}
/* Up to eight characters, the first in the lowest byte. */
void *__library_print_chars(void *sink, unsigned long long chars, int n) {
    for (int i = 0; i < n; i++) {
        put(sink, (char)chars);
        chars >>= 8;
    }
    return sink;
}
void *__library_print_char(void *sink, int c, int flags, int width) {
    blanks(sink, flags, width, 1, 1);
    put(sink, (char)c);
    blanks(sink, flags, width, 1, 0);
    return sink;
}
void *__library_print_string(void *sink, const char *text, int flags, int width, int precision) {
    size n = 0;
    while ((precision < 0 || n < (size)precision) && text[n])
        n++;
    blanks(sink, flags, width, n, 1);
    for (size i = 0; i < n; i++)
        put(sink, text[i]);
    blanks(sink, flags, width, n, 0);
    return sink;
}
/* Digits after a sign, which is 0 for none. */
static void *number(void *sink, unsigned long long value, char sign, unsigned base, int flags, int width, int precision) {
    char digits[24];
    int n = 0, nonzero = value != 0;
    while (value) {
        int d = (int)(value % base);
        digits[n] = (char)(d < 10 ? '0' + d : (flags & UPPER ? 'A' : 'a') + d - 10);
        n++;
        value /= base;
    }
    size zeros = missing(precision < 0 ? 1 : precision, n);
    if ((flags & OTHER) && base == 8 && zeros == 0)
        zeros = 1;
    int prefix = (flags & OTHER) && base == 16 && nonzero;
    size length = n + zeros + (sign != 0) + 2 * prefix;
    int by_zeros = (flags & ZERO) && !(flags & LEFT) && width > 0 && precision < 0;
    if (!by_zeros)
        blanks(sink, flags, width, length, 1);
    if (sign)
        put(sink, sign);
    if (prefix) {
        put(sink, '0');
        put(sink, flags & UPPER ? 'X' : 'x');
    }
    if (by_zeros)
        pad(sink, '0', missing(width, length));
    pad(sink, '0', zeros);
    while (n > 0) {
        n--;
        put(sink, digits[n]);
    }
    if (!by_zeros)
        blanks(sink, flags, width, length, 0);
    return sink;
}
void *__library_print_signed(void *sink, long long value, int flags, int width, int precision) {
    char sign = value < 0 ? '-' : flags & PLUS ? '+' : flags & SPACE ? ' ' : 0;
    unsigned long long amount = value;
    return number(sink, value < 0 ? 0 - amount : amount, sign, 10, flags & ~OTHER, width, precision);
}
void *__library_print_decimal(void *sink, unsigned long long value, int flags, int width, int precision) {
    return number(sink, value, 0, 10, flags & ~OTHER, width, precision);
}
void *__library_print_octal(void *sink, unsigned long long value, int flags, int width, int precision) {
    return number(sink, value, 0, 8, flags, width, precision);
}
void *__library_print_hexadecimal(void *sink, unsigned long long value, int flags, int width, int precision) {
    return number(sink, value, 0, 16, flags, width, precision);
}
/* Any number from low to high, as the library has it. */
static size some(size low, size high) {
    size n = (size)__library_approximate_long();
    __VERIFIER_assume(low <= n && n <= high);
    return n;
}
/* The digits of a number before its point, or those and one less or more where rounding decides. */
static size digits_before(double a, int precision) {
    size n = 1;
    double power = 10;
    while (n < 309 && a >= power) {
        power *= 10;
        n++;
    }
    if (n > 22 && (a >= power - power / 1e9 || a <= power / 10 + power / 1e10))
        return some(n - 1, n + 1);
    return a >= power - (precision == 0 ? 0.5 : 0.05) ? some(n, n + 1) : n;
}
/* The length of a finite number without sign; its digits before the point where the conversion is f. */
static size float_length(double a, int flags, int precision, size before) {
    size digits = precision < 0 ? 6 : precision;
    size behind = digits > 0 || (flags & OTHER) ? digits + 1 : 0;
    if (flags & BITS)
        return some(6, precision < 0 ? 23 : digits + 10);
    if (flags & SHORTER)
        return some(1, (digits > 0 ? digits : 1) + 6);
    if (!(flags & EXPONENT))
        return before + behind;
    if (a == 0 || (1e-98 <= a && a <= 9e99))
        return 1 + behind + 4;
    return a > 1.1e100 || a < 9e-100 ? 1 + behind + 5 : some(1 + behind + 4, 1 + behind + 5);
}
/* What stands where n characters have been printed: digits and a point, or whatever the conversion has. */
static void float_text(struct sink *s, size from, size n, int flags, size before) {
    int fixed = !(flags & (EXPONENT | SHORTER | BITS));
    for (size i = from; i < from + n && i + 1 < s->room; i++) {
        if (fixed && i == from + before) {
            s->to[i] = '.';
            continue;
        }
        long c = __library_approximate_long();
        __VERIFIER_assume(fixed ? '0' <= c && c <= '9' : '+' <= c && c <= 'x');
        s->to[i] = (char)c;
    }
}
void *__library_print_double(void *sink, double value, int flags, int width, int precision) {
    struct sink *s = sink;
    char sign = __builtin_signbit(value) ? '-' : flags & PLUS ? '+' : flags & SPACE ? ' ' : 0;
    int finite = !__builtin_isnan(value) && !__builtin_isinf(value);
    double a = __builtin_fabs(value);
    size before = finite && !(flags & (EXPONENT | SHORTER | BITS)) ? digits_before(a, precision) : 0;
    size n = finite ? float_length(a, flags, precision, before) : 3;
    size length = n + (sign != 0);
    int by_zeros = (flags & ZERO) && !(flags & LEFT) && width > 0 && finite;
    if (!by_zeros)
        blanks(s, flags, width, length, 1);
    if (sign)
        put(s, sign);
    if (by_zeros)
        pad(s, '0', missing(width, length));
    size from = s->done;
    if (finite)
        pad(s, '0', n);
    else
        for (int i = 0; i < 3; i++)
            put(s, (char)((__builtin_isnan(value) ? "nan" : "inf")[i] - (flags & UPPER)));
    if (!by_zeros)
        blanks(s, flags, width, length, 0);
    /* Whether there is room for it, and for the end of the text behind it, is known before its digits are not. */
    if (s->room > 0)
        s->to[s->done < s->room ? s->done : s->room - 1] = 0;
    if (finite)
        float_text(s, from, n, flags, before);
    return s;
}
void *__library_print_count(void *sink, int *to) {
    struct sink *s = sink;
    *to = (int)s->done;
    return sink;
}
