static unsigned hash = 17;
static void mix(unsigned long long v) { hash = hash * 31u + (unsigned)v + (unsigned)(v >> 32); }
enum small { A = 3, B, C = -7 };
typedef unsigned char u8;
int side(int *p, int v) { *p = *p * 2 + v; return *p; }
int main(void) {
    int i = -7, j = 3;
    unsigned u = 4000000000u;
    char c = 200;
    signed char sc = -128;
    u8 uc = 250;
    short s = -32768;
    unsigned short us = 65535;
    long l = -5;
    long long ll = -1234567890123LL;
    unsigned long long ull = 18446744073709551615ULL;
    _Bool b = 5;
    mix(i / j); mix(i % j); mix(i >> 1); mix((unsigned)i >> 1); mix(i << 2);
    mix(u + i); mix(u / 7); mix(c); mix(sc - 1); mix(uc + uc); mix((u8)(uc + 10));
    mix(s - 1); mix(us + 1); mix(us * us); mix(l * ll); mix(ull / 3); mix(ull % 1000);
    double d = -0.0, e = 2.5; float g = 1e30f; mix(d == 0); mix(d < e); mix(e >= 2.5); mix(-e < d); mix(g != g); mix(!d); mix(g > 0 && e); d = e; mix(d <= e);
    mix(b); b = 0.0 ? 1 : 0; mix(b); b++; mix(b); b--; mix(b);
    mix(~i); mix(-i); mix(!i); mix(!0); mix(i < j); mix(u > i); mix(l < u); mix(ll <= 0);
    mix(i & 0xff); mix(i | 8); mix(i ^ j); mix(sizeof(i + ll)); mix(sizeof(char)); mix(sizeof 'a');
    mix(A + B + C); mix((enum small)C); mix('\377'); mix('\x41'); mix('ab'); mix(L'x');
    uc += 300; mix(uc); s -= 1; mix(s); us <<= 3; mix(us); c >>= 1; mix(c); ll *= -3; mix(ll);
    ull >>= 60; mix(ull); u %= 10; mix(u); i /= -2; mix(i);
    int x = 5;
    mix(x++ + 10 * x); mix(++x); mix(x--); mix(--x);
    mix(x = 7); mix((x += 3) * 2); mix(x > 5 ? x : -x); mix(x ?: 99); mix(0 ?: 42);
    mix((x = 3, x * x)); mix(x && (x = 0)); mix(x || (x = 9)); mix(x);
    int q = 1;
    mix(side(&q, 1) - side(&q, 2)); mix(q);
    int w = (side(&q, 1) > 3 && side(&q, 5) < 0) || side(&q, 2) == 4; mix(w); mix(q);
    for (int k = 0; k < 10; k++) { if (k == 3) continue; if (k == 8) break; mix(k); }
    int k = 10; do { mix(k); k -= 3; } while (k > 0);
    while (k < 5) mix(k++);
    switch (q & 3) { case 0: mix(1); case 1: mix(2); break; case 2 ... 3: mix(3); default: mix(4); }
    int n = 0; again: n++; if (n < 5) goto again; mix(n);
    mix(({ int t = n * 2; t + 1; }));
    mix(__builtin_popcount(0xf0f1)); mix(__builtin_clz(1)); mix(__builtin_ctz(8)); mix(__builtin_bswap32(0x12345678));
    int r; mix(__builtin_add_overflow(2147483647, 1, &r)); mix(r); mix(__builtin_mul_overflow(3, 4, &r)); mix(r);
    unsigned char small; mix(__builtin_sub_overflow(3, 4, &small)); mix(small);
    mix(__builtin_expect(n, 1)); mix(__builtin_constant_p(3)); mix(n << 31 >> 31);
    return hash & 0x7f;
}
