/* What random programs have found; main returns the number of the first case that fails, 0 when none does. */
typedef unsigned long long u64;
struct wide { u64 a : 40; long long b : 54; u64 c : 33; unsigned d : 32; int e : 5; };
struct in { int x[2][3]; short y[4]; };
static struct wide gw = {0xffffffffffull, -1, 0x1ffffffffull, 0xffffffffu, -3};
static struct in mk(int k) { struct in r = {{{k, 1, 2}, {3, k + 1, 5}}, {7, 8, k}}; return r; }
static int same(u64 a, u64 b) { return a == b; }
/* gcc computes with a bit-field wider than int in exactly its width. */
static int t1(void) { struct wide w = gw; return w.a + 1 == 0 && w.a * w.a == 1 && (w.a << 8) == 0xffffffff00ull; }
static int t2(void) { struct wide w = gw; return same(~w.a, 0) && same(-w.a, 1) && same(w.c + 1, 0) && same(w.c * 2, 0x1fffffffeull); }
static int t3(void) { struct wide w = gw; return same(w.a + (u64)1, 0x10000000000ull) && same((u64)w.a + 1, 0x10000000000ull); }
static int t4(void) { struct wide w = gw; return same(w.a + w.c + 2, 0x200000000ull) && same((1, w.a) + 1, 0) && same((w.e ? w.a : 0) + 1, 0); }
static int t5(void) { struct wide w = gw; w.a += 5; return w.a == 4 && same((w.a = 0xffffffffffull) + 1, 0) && same(w.a++ + 1, 0) && w.a == 0; }
static int t6(void) { struct wide w = gw; return w.b == -1 && w.b * 3 == -3 && (w.b >> 50) == -1 && w.b < w.e + 3 && w.d + 1 == 0; }
/* Elements of an array in a struct that is no lvalue. */
static int t7(void) { int i = 1; return mk(4).x[i][1] == 5 && mk(9).x[0][0] == 9 && mk(2).y[i + 1] == 2 && (i ? mk(1) : mk(2)).y[2] == 1; }
static int (*const cases[])(void) = {t1, t2, t3, t4, t5, t6, t7};
int main(void)
{
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    if (!cases[i]())
      return i + 1;
  return 0;
}
