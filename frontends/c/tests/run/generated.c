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
struct narrow { long long a : 27; unsigned b : 9; unsigned long c : 32; enum { N1, N2 } d : 3; };
static int t14(void)
{
  struct narrow n = {-5, 3, 7, N2};
  return sizeof(+(1, n.a)) == 4 && (1, n.b) - 4 < 0 && (n.b = 2) - 3 < 0 && (n.d ? n.b : 0) - 9 < 0 && ({ n.b; }) - 3 < 0
    && n.b++ - 3 < 0 && (unsigned)n.b - 4 > 0 && n.a - 1 == -6 && n.c - 8 > 0 && (n.b -= 1) - 3 < 0 && n.d - 2 < 0;
}
/* What is assigned to a bit-field is as large as its width asks for, until a cast says otherwise. */
static int t16(void)
{
  struct narrow n = {0};
  struct wide w = gw;
  return sizeof(n.a += 1) == 4 && sizeof(n.b = 1) == 2 && sizeof(n.d = N1) == 1 && sizeof((int)(n.d = N1)) == 4 && sizeof(w.a++) == 8;
}
/* Elements of a flexible array that set nothing are there all the same. */
static struct { int n; struct { short x, y; } d[]; } flexible = {3, {{1, 2}, {}, {}}};
static int t15(void) { return flexible.d[0].y == 2 && flexible.d[2].x + flexible.d[1].y == 0; }
/* Elements of an array in a struct that is no lvalue. */
static int t7(void) { int i = 1; return mk(4).x[i][1] == 5 && mk(9).x[0][0] == 9 && mk(2).y[i + 1] == 2 && (i ? mk(1) : mk(2)).y[2] == 1; }
/* So are booleans, which have eight bits there. */
struct flags { char c; _Bool m[3]; _Bool n[2][2]; enum { F1, F2 } e[2]; };
static struct flags fl(int k) { struct flags r = {k, {k, 0, !k}, {{0, k}, {!k, 1}}, {F2, k}}; return r; }
static int t17(void)
{
  int i = 2;
  struct { _Bool only[1]; } one = {{1}};
  return fl(0).m[2] == 1 && fl(0).m[0] == 0 && fl(5).m[0] + fl(5).m[i] == 1 && fl(7).n[0][i - 1] && !fl(7).n[1][0] && fl(0).n[1][0]
    && fl(0).n[1][1] && fl(1).e[1] == F2 && fl(0).e[i - 2] == F2 && (i ? one : one).only[i - 2] && (i ? fl(0) : fl(1)).m[2];
}
/* Variable arguments of every class, read here and by others. */
static long long sum(int n, __builtin_va_list ap) { long long s = 0; while (n--) s += __builtin_va_arg(ap, int); return s; }
static long long ints(int n, ...)
{
  __builtin_va_list ap, other;
  __builtin_va_start(ap, n);
  __builtin_va_copy(other, ap);
  long long s = sum(n, ap) * 100 + sum(n, other);
  __builtin_va_end(ap);
  __builtin_va_end(other);
  return s;
}
static long long mixed(const char *f, ...)
{
  long long s = 0;
  __builtin_va_list ap;
  __builtin_va_start(ap, f);
  for (; *f; f++)
    switch (*f) {
    case 'i': s += __builtin_va_arg(ap, int); break;
    case 'L': s += __builtin_va_arg(ap, long long); break;
    case 'p': s += *__builtin_va_arg(ap, int *); break;
    case 'w': s += ++*__builtin_va_arg(ap, int *); break;
    case 's': s += __builtin_va_arg(ap, struct in).x[1][1]; break;
    case 'f': s += __builtin_va_arg(ap, int (*)(void))(); break;
    }
  __builtin_va_end(ap);
  return s;
}
static int inner(__builtin_va_list *ap) { return __builtin_va_arg(*ap, int); }
static int by_address(int n, ...)
{
  int s = 0;
  __builtin_va_list ap;
  __builtin_va_start(ap, n);
  while (n--) s = s * 10 + inner(&ap);
  __builtin_va_end(ap);
  return s;
}
static int nested(int depth, ...)
{
  __builtin_va_list ap;
  __builtin_va_start(ap, depth);
  int a = __builtin_va_arg(ap, int);
  int below = depth ? nested(depth - 1, a + 1, depth) : 0;
  int b = __builtin_va_arg(ap, int);
  __builtin_va_end(ap);
  return below * 10 + a + b;
}
static int t8(void) { return ints(0) == 0 && ints(3, 1, 2, 3) == 606 && ints(2, 'a', (short)-90) == 707; }
static int t9(void) { int x = 5; return mixed("iLpiwi", 1, 1ll << 40, &x, -1, &x, x) == (1ll << 40) + 16 && x == 6; }
static int t10(void) { struct in s = mk(20); return mixed("isLfi", 1, s, -2ll, t7, 3) == 24; }
static int t11(void) { long long (*const f)(const char *, ...) = mixed; return f("ii", 4, 5) == 9 && f("") == 0; }
static int t12(void) { return by_address(3, 4, 5, 6) == 456 && nested(2, 1, 7) == 448 && gw.a && (mixed)("i", gw.e) == -3; }
/* The operand of ?: that is left out, in constants. */
static int c1 = 5ll ?: 3u; static const long long c2 = (1 ? 0 : 2) ?: sizeof(int); enum { C3 = 0 ?: 7 };
static int t13(void) { return c1 == 5 && c2 == 4 && C3 == 7; }
static int (*const cases[])(void) = {t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16, t17};
int main(void)
{
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    if (!cases[i]())
      return i + 1;
  return 0;
}
