typedef unsigned long size_t;
typedef __builtin_va_list va_list;
int sprintf(char *, const char *, ...); int snprintf(char *, size_t, const char *, ...); int sscanf(const char *, const char *, ...);
int vsnprintf(char *, size_t, const char *, va_list); int vsprintf(char *, const char *, va_list);
static unsigned hash = 7;
static void mix(unsigned long v) { hash = hash * 33u + (unsigned)v + (unsigned)(v >> 32); }
static void text(const char *s) { while (*s) mix((unsigned char)*s++); mix(99); }
static int formatted(char *to, size_t n, const char *format, ...) {
    va_list list; __builtin_va_start(list, format);
    int r = vsnprintf(to, n, format, list);
    __builtin_va_end(list);
    return r;
}
#define BOTH(...) do { \
    mix(sprintf(b, __VA_ARGS__)); text(b); mix(snprintf(b, 6, __VA_ARGS__)); text(b); \
    mix(formatted(b, sizeof b, __VA_ARGS__)); text(b); mix(snprintf(0, 0, __VA_ARGS__)); \
} while (0)
int main(void) {
    char b[64], w[8]; int x = 0, y = 0, n = 0; unsigned u = 0; short h = 0; signed char c = 0; long l = 0; unsigned char uc = 0;
    BOTH("%d-%s", 42, "x"); BOTH("[%5d|%-5d|%05d|%+d|% d]", 42, -42, 42, 42, 42); BOTH("%d %i", -2147483647 - 1, 0);
    BOTH("%u %x %X %o %#x %#X %#o", 4000000000u, 0xbeefu, 0xbeefu, 64u, 255u, 255u, 8u); BOTH("%#x %#o %.0d|", 0u, 0u, 0);
    BOTH("%ld %lu %lld %zu %hd %hhd %hhu %hx", -5L, 5UL, -1LL << 40, sizeof b, 70000, 300, 300, 70000);
    BOTH("%.3d %8.3d %-8.3d| %08d %-08d|", 7, -7, 7, -7, 7); BOTH("%c%5c%-5c|%%", 'a', 'b', 'c');
    BOTH("%s %10s %-10s| %.2s %5.1s", "abc", "abc", "abc", "abc", "abc"); BOTH("%*d %-*d| %*d %.*s", 5, 1, 5, 1, -5, 1, 2, "abc");
    BOTH("%.*d|%.*s", -1, 3, -1, "whole"); BOTH("plain text that is longer than eight"); BOTH("%s", "");
    mix(sprintf(b, "ab%nc", &n)); mix(n); text(b);
    mix(sscanf("12 -34 0x1f", "%d %d %x", &x, &y, &u)); mix(x); mix(y); mix(u);
    mix(sscanf("  7,8", "%d,%d", &x, &y)); mix(x); mix(y); mix(sscanf("7;8", "%d,%d", &x, &y)); mix(sscanf("", "%d", &x)); mix(sscanf("a", "%d", &x));
    mix(sscanf("12345", "%2d%3d", &x, &y)); mix(x); mix(y); mix(sscanf("0x10 010 9", "%i%i%i", &x, &y, &n)); mix(x); mix(y); mix(n);
    mix(sscanf("300 70000 -5 255", "%hhd %hd %ld %hhu", &c, &h, &l, &uc)); mix(c); mix(h); mix(l); mix(uc);
    mix(sscanf("word next", "%7s%n", w, &n)); text(w); mix(n); mix(sscanf("abcdefghij", "%3s%3s", w, b)); text(w); text(b);
    mix(sscanf("key=value", "%7[a-z]=%63[^;]", w, b)); text(w); text(b); mix(sscanf("12ab", "%*d%7s", w)); text(w);
    mix(sscanf("xyz", "%2c", w)); mix(w[0]); mix(w[1]); mix(sscanf("99999999999999999999", "%ld", &l)); mix(l); mix(sscanf("5 ", "%d %d", &x, &y));
    return hash % 251;
}
