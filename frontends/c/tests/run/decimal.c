typedef unsigned long size_t;
double strtod(const char *, char **); float strtof(const char *, char **); double atof(const char *);
int snprintf(char *, size_t, const char *, ...); int sscanf(const char *, const char *, ...);
static unsigned hash = 7;
static void mix(unsigned long long v) { hash = hash * 33u + (unsigned)v + (unsigned)(v >> 32); }
static void real(double d) { union { double d; unsigned long long u; } w; w.d = d; mix(w.u); }
static void number(const char *s) {
    char *end;
    real(strtod(s, &end)); mix(end - s);
    real(strtof(s, &end)); mix(end - s);
    real(atof(s));
}
static void print(double d) {
    mix(snprintf(0, 0, "%f", d)); mix(snprintf(0, 0, "%.2f|%+.0f|%#.0f", d, d, d)); mix(snprintf(0, 0, "%12.3f%-12.3f|% 08.1f", d, d, d));
    mix(snprintf(0, 0, "%e %.0e %+.3E", d, d, d));
}
int main(void) {
    number("1"); number("  -2.5x"); number("+0.1"); number("1e3"); number("12.5e-2"); number("1e"); number("1e+"); number("."); number("");
    number("-"); number(".5"); number("5."); number("-0"); number("00012"); number("inf"); number("-Infinity!"); number("infinit");
    number("3.14159"); number("1e5x"); number("0.001"); number("x1"); number("e5"); number("1.2.3"); number("0e999999999");
    print(0); print(1); print(-1.5); print(123.456); print(-99999); print(0.0001); print(7e22); print(1.0 / 3);
    print(1e-300); print(__builtin_inf()); print(-__builtin_inf()); print(2.5e-5);
    double d = 0; float f = 0; int n = 0;
    mix(sscanf("1.5 -2", "%lf %f", &d, &f)); real(d); real(f); mix(sscanf("7.25,8", "%lf,%d", &d, &n)); real(d); mix(n);
    mix(sscanf("z", "%lf", &d)); mix(sscanf("", "%lf", &d)); mix(sscanf("3 4", "%*f %d", &n)); mix(n);
    return hash % 251;
}
