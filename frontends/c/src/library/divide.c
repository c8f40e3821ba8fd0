/* stdlib.h, inttypes.h, strings.h */
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
div_t div(int n, int d) { div_t r; r.quot = n / d; r.rem = n % d; return r; }
ldiv_t ldiv(long n, long d) { ldiv_t r; r.quot = n / d; r.rem = n % d; return r; }
lldiv_t lldiv(long long n, long long d) { lldiv_t r; r.quot = n / d; r.rem = n % d; return r; }
lldiv_t imaxdiv(long long n, long long d) { lldiv_t r; r.quot = n / d; r.rem = n % d; return r; }
long long imaxabs(long long n) { return n < 0 ? -n : n; }
/* The position of the lowest bit that is set, from 1. */
int ffs(int x) { return x ? __builtin_ctz((unsigned)x) + 1 : 0; }
int ffsl(long x) { return x ? __builtin_ctzl((unsigned long)x) + 1 : 0; }
int ffsll(long long x) { return x ? __builtin_ctzll((unsigned long long)x) + 1 : 0; }
