/* One case per function; main returns the number of the first that fails, 0 when none does. */
typedef short half __attribute__((mode(HI)));
enum __attribute__((mode(QI))) small { S0, S1 };
typedef int v4 __attribute__((vector_size(16)));
struct with_vector { char c; v4 v; };
struct [[gnu::packed]] tight { char c; int i; };
typedef union { int *ip; char *cp; } either __attribute__((transparent_union));
struct flex { int n; short d[]; };
static struct flex flexible = {2, {7, 8, 9}};
enum { E0 = (_Bool)0.5, E1 = (int)2.9, E2 = (int)-2.9, E3 = !0.25, E4 = 0.0 || 0.5, E5 = 1.5 < 2, E6 = 0.1f == 0.1,
       E7 = __builtin_ctz(8), E8 = __builtin_clz(1), E9 = __builtin_popcount(255) };
static char lengths[(int)2.5 + __builtin_strlen("abc")];
static double whole = 1, third = 1.0 / 3, minus = -2;
static float narrow = 0.1, single = 1.5f;
static long large = (long)1e6;
_Static_assert((int)(0.1 + 0.2) == 0, "folded");
static int target(int x) { return x + 1; }
int other_name(int) __attribute__((alias("target")));
static int object = 3;
extern int other_object __attribute__((alias("object")));
__attribute__((weak)) int weak(void) { return 4; }
static int first(either e) { return *e.ip; }
static int labels(int n) {
  int r = 0;
  { __label__ out; if (n) goto out; r = 1; out:; }
  { __label__ out; if (!n) goto out; r += 2; out:; }
  return r;
}
static int threaded(const char *p) {
  static void *const to[] = {&&add, &&ten, &&end};
  int s = 0;
  goto *to[(int)*p];
add: s += 1; p++; goto *to[(int)*p];
ten: s += 10; p++; goto *to[(int)*p];
end: return s;
}
static int t1(void) { return sizeof(half) == 2 && sizeof(enum small) == 1; }
static int t2(void) { return sizeof(v4) == 16 && sizeof(struct with_vector) == 32; }
static int t3(void) { return sizeof(struct tight) == 5; }
static int t4(void) { int a = 3; return first(&a) == 3; }
static int t5(void) { return sizeof flexible == 4 && flexible.d[0] == 7 && flexible.d[2] == 9; }
static int t6(void) { return E0 == 1 && E1 == 2 && E2 == -2 && E3 == 0 && E4 == 1 && E5 == 1 && E6 == 0; }
static int t7(void) { return E7 == 3 && E8 == 31 && E9 == 8 && sizeof lengths == 5; }
static int t8(void) { return whole == 1.0 && third > 0.333 && third < 0.334 && minus == -2.0; }
static int t9(void) { return narrow == 0.1f && single == 1.5f && large == 1000000; }
static int t10(void) { double d = 0.5; float z = -0.0f; _Bool b = d, c = z; return b && !c && !z; }
static int t11(void) { return other_name(2) == 3 && &other_name == &target; }
static int t12(void) { other_object = 5; return object == 5; }
static int t13(void) { return weak() == 4; }
static int t14(void) { return labels(0) == 1 && labels(1) == 2; }
static int t15(void) { char program[] = {0, 1, 1, 0, 2}; return threaded(program) == 22; }
static int t16(void) { int a = 5; __asm__ volatile("" ::: "memory"); __asm__("" : : "r"(a)); return a == 5; }
static int t17(void) { int x = 1; switch (x) { case 1: x = 2; [[fallthrough]]; default:; } return x == 2; }
static int t18(void) { static int x, y; return (unsigned)(unsigned long)&x != (unsigned)(unsigned long)&y && (unsigned)(unsigned long)&x; }
static int t19(void) { static int x; return (unsigned)(unsigned long)&x != (unsigned)(unsigned long)&target; }
static int t20(void) { int *p; int x = 1, i = 3; while (i--) { p = i ? &x : 0; if (p) *p += 1; } return x == 3 && !p; }
static int (*const all[])(void) = {t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16, t17, t18, t19, t20};
int main(void) {
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    if (!all[i]()) return i + 1;
  return 0;
}
