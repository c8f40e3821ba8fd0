/* stdio.h: values read by a format that is a literal, one function for each conversion (sema::formats). From a string
   they are what is written there; a stream holds anything. */
typedef unsigned long size;
int *__errno_location(void);
int __library_any_int(void);
long __library_any_long(void);
char __library_any_char(void);
double __library_any_double(void);
float __library_any_float(void);
void __library_uses(void *);
void __library_incomplete(const char *);
void __VERIFIER_assume(int);
float strtof(const char *, char **);
double strtod(const char *, char **);
enum { GOING, MISMATCH, END };
/* `text` is null for a stream. `whole` conversions have succeeded, `done` of them with a place for the value. */
struct source { const char *text; size at; int state, whole, done; };
static int is_space(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }
static void *start(const char *text) {
    static struct source s;
    s.text = text;
    s.at = 0;
    s.state = GOING;
    s.whole = 0;
    s.done = 0;
    return &s;
}
void *__library_scan_string(const char *text) { return start(text); }
void *__library_scan_stream(void *file) {
    __library_uses(file);
    return start(0);
}
void *__library_scan_input(void) { return start(0); }
int __library_scanned(void *source) {
    struct source *s = source;
    if (!s->text && s->state != GOING)
        *__errno_location() = __library_any_int();
    return s->state == END && s->whole == 0 ? -1 : s->done;
}
/* Whether the stream fails to have what is wanted. */
static int fails(struct source *s) {
    if (s->state == GOING && !s->text && __library_any_int())
        s->state = __library_any_int() ? MISMATCH : END;
    return s->state != GOING;
}
static void skip(struct source *s) {
    while (is_space(s->text[s->at]))
        s->at++;
}
static int finish(struct source *s, int kept) {
    s->whole = 1;
    s->done += kept;
    return kept;
}
void *__library_scan_space(void *source) {
    struct source *s = source;
    if (s->state == GOING && s->text)
        skip(s);
    return s;
}
void *__library_scan_chars(void *source, unsigned long long chars, int n) {
    struct source *s = source;
    for (int i = 0; i < n && !fails(s); i++) {
        if (s->text) {
            char c = s->text[s->at];
            if (c != (char)chars)
                s->state = c ? MISMATCH : END;
            else
                s->at++;
        }
        chars >>= 8;
    }
    return s;
}
static int digit(char c) {
    return '0' <= c && c <= '9' ? c - '0' : 'a' <= c && c <= 'f' ? c - 'a' + 10 : 'A' <= c && c <= 'F' ? c - 'A' + 10 : 16;
}
/* A number of at most `width` characters, as strtol or strtoul has it. */
static unsigned long number(struct source *s, unsigned base, int width, int is_signed) {
    size left = width > 0 ? width : (size)-1;
    int negative = 0, any = 0, over = 0;
    skip(s);
    if (!s->text[s->at]) {
        s->state = END;
        return 0;
    }
    if (s->text[s->at] == '-' || s->text[s->at] == '+') {
        negative = s->text[s->at] == '-';
        s->at++;
        left--;
    }
    if (left > 0 && s->text[s->at] == '0') {
        any = 1;
        s->at++;
        left--;
        if (left > 0 && (base == 0 || base == 16) && (s->text[s->at] == 'x' || s->text[s->at] == 'X')) {
            any = 0;
            s->at++;
            left--;
            base = 16;
        }
        if (base == 0)
            base = 8;
    }
    if (base == 0)
        base = 10;
    unsigned long value = 0, limit = is_signed ? (~0UL >> 1) + negative : ~0UL;
    while (left > 0 && digit(s->text[s->at]) < base) {
        unsigned long d = digit(s->text[s->at]);
        if (over || value > limit / base || value * base > limit - d)
            over = 1;
        else
            value = value * base + d;
        any = 1;
        s->at++;
        left--;
    }
    if (!any)
        s->state = MISMATCH;
    if (over)
        return limit == ~0UL ? limit : negative ? 0 - limit : limit;
    return negative ? 0 - value : value;
}
/* A number from a stream: any that fits the width, of which a minus takes one. */
static long any_number(unsigned base, int width) {
    long value = __library_any_long(), most = 1;
    if (0 < width && width < 10 && base <= 10) {
        for (int i = 0; i < width; i++)
            most *= 10;
        __VERIFIER_assume(-(most / 10) < value && value < most);
    }
    if (0 < width && width < 8 && base == 16) {
        most <<= 4 * width;
        __VERIFIER_assume(-(most >> 4) < value && value < most);
    }
    return value;
}
static int wanted(struct source *s, unsigned base, int width, int is_signed, unsigned long *value) {
    if (fails(s))
        return 0;
    if (s->text)
        *value = number(s, base, width, is_signed);
    else
        *value = any_number(base, width);
    return s->state == GOING;
}
void *__library_scan_int(void *source, int *to, int base, int width, int is_signed) {
    unsigned long value;
    if (wanted(source, base, width, is_signed, &value) && finish(source, to != 0))
        *to = (int)value;
    return source;
}
void *__library_scan_long(void *source, long *to, int base, int width, int is_signed) {
    unsigned long value;
    if (wanted(source, base, width, is_signed, &value) && finish(source, to != 0))
        *to = (long)value;
    return source;
}
void *__library_scan_short(void *source, short *to, int base, int width, int is_signed) {
    unsigned long value;
    if (wanted(source, base, width, is_signed, &value) && finish(source, to != 0))
        *to = (short)value;
    return source;
}
void *__library_scan_byte(void *source, signed char *to, int base, int width, int is_signed) {
    unsigned long value;
    if (wanted(source, base, width, is_signed, &value) && finish(source, to != 0))
        *to = (signed char)value;
    return source;
}
/* Characters of a set, given by its bits: a terminated text. `skips`: blanks before it do not count. */
static void *word(struct source *s, char *to, int width, int skips, const unsigned long long *set) {
    size most = width > 0 ? width : (size)-1, n = 0;
    if (fails(s))
        return s;
    if (s->text && skips)
        skip(s);
    if (s->text && !s->text[s->at]) {
        s->state = END;
        return s;
    }
    while (n < most) {
        char c = s->text ? s->text[s->at] : __library_any_char();
        unsigned u = (unsigned char)c;
        if ((s->text && !c) || !(set[u / 64] >> u % 64 & 1))
            break;
        if (to)
            to[n] = c;
        s->at++;
        n++;
    }
    if (n == 0) {
        if (!s->text)
            __VERIFIER_assume(0);
        s->state = MISMATCH;
        return s;
    }
    if (finish(s, to != 0))
        to[n] = 0;
    return s;
}
void *__library_scan_word(void *source, char *to, int width) {
    static const unsigned long long not_space[4] = {~0x100003e00ULL, ~0ULL, ~0ULL, ~0ULL};
    return word(source, to, width, 1, not_space);
}
void *__library_scan_set(void *source, char *to, int width, unsigned long long a, unsigned long long b, unsigned long long c, unsigned long long d) {
    unsigned long long set[4] = {a, b, c, d};
    return word(source, to, width, 0, set);
}
void *__library_scan_raw(void *source, char *to, int width) {
    struct source *s = source;
    if (fails(s))
        return s;
    for (int i = 0; i < (width > 0 ? width : 1); i++) {
        char c = s->text ? s->text[s->at] : __library_any_char();
        if (s->text && !c) {
            s->state = i == 0 ? END : MISMATCH;
            return s;
        }
        if (to)
            to[i] = c;
        s->at++;
    }
    finish(s, to != 0);
    return s;
}
/* Whether a floating number stands here, and so many characters of it; a stream has one or none. */
static int has_number(struct source *s) {
    if (fails(s))
        return 0;
    if (!s->text)
        return 1;
    skip(s);
    const char *from = s->text + s->at;
    char *end;
    strtod(from, &end);
    if (end == from)
        s->state = *from ? MISMATCH : END;
    /* What could have gone on (1e+, 0x, nan() is refused by a scan, and read in part by strtod. */
    if (*end == 'e' || *end == 'E' || *end == 'x' || *end == 'X' || *end == 'p' || *end == 'P' || *end == '(' || *end == 'i' ||
        *end == 'I' || *end == 'n' || *end == 'N' || (end == from && (*from == '-' || *from == '+' || *from == '.')))
        __library_incomplete("a floating number that ends early, read from a string");
    s->at += end - from;
    return s->state == GOING;
}
void *__library_scan_float(void *source, float *to) {
    struct source *s = source;
    const char *from = s->text ? s->text + s->at : 0;
    if (has_number(s) && finish(s, to != 0))
        *to = from ? strtof(from, 0) : __library_any_float();
    return s;
}
void *__library_scan_double(void *source, double *to) {
    struct source *s = source;
    const char *from = s->text ? s->text + s->at : 0;
    if (has_number(s) && finish(s, to != 0))
        *to = from ? strtod(from, 0) : __library_any_double();
    return s;
}
void *__library_scan_count(void *source, int *to) {
    struct source *s = source;
    if (s->state != GOING)
        return s;
    int n = s->text ? (int)s->at : __library_any_int();
    __VERIFIER_assume(n >= 0);
    *to = n;
    return s;
}
