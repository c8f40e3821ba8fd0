/* One case per function; main returns the number of the first that fails, 0 when none does. */
typedef unsigned char u8; typedef signed char s8; typedef unsigned short u16; typedef unsigned u32;
typedef long long s64; typedef unsigned long long u64;
extern void *memcpy(void *, const void *, unsigned long);
struct pt { int x, y; };
struct mix { char c; int i; short h; long long q; };
struct bits { unsigned a : 3; int b : 5; unsigned : 0; unsigned c : 9; _Bool d : 1; };
union un { u32 w; u16 h[2]; u8 b[4]; };
struct anon { int t; union { int i; char c; }; struct { short p, q; }; };
struct self { int v; struct self *n; };
struct flex { int n; int a[]; };
struct __attribute__((packed)) pk { char c; int i; };
struct al { char c; int i __attribute__((aligned(16))); };
enum en { E0, E5 = 5, E6, EN = -2, EM };
typedef int (*fn)(int); typedef int arr3[3]; typedef struct pt ptt;
static int g, gs = 7; static int ga[4] = {1, 2}; static const char *gstr = "xyz"; static struct pt gp = {.y = 4}; static int *gptr = &ga[1];
static int inc(int x) { return x + 1; } static int dbl(int x) { return 2 * x; }
static int apply(fn f, int x) { return f(x); }
static struct pt mk(int x, int y) { struct pt p = {x, y}; return p; }
static int sump(struct pt p) { p.x += p.y; return p.x; }
static void setp(struct pt *p, int v) { p->x = v; (*p).y = -v; }
static int knr(a, b) int a; char b; { return a + b; }
static int count(void) { static int n; return ++n; }
static int side(int v) { g = g * 10 + v; return v; }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int many(int a, long long b, u8 c, short d, struct pt e) { return a + (int)b + c + d + e.x; }
static int arrsum(int a[], int n) { int s = 0; while (n--) s += a[n]; return s; }
static int arr2(int a[][3]) { return a[1][2]; }
static inline int inl(int x) { return x * x; }
static fn pick(int k) { return k ? inc : dbl; }
static int sw(int x) { switch (x) { case 1: return 10; case 2: case 3: x += 5; case 4: return x; default: break; } return -1; }
static int gotos(int n) { int s = 0; top: if (n <= 0) goto end; s += n--; goto top; end: return s; }
static _Noreturn void never(void) { for (;;) ; }
int gext = 1;
static int t1(void) { int a = 7; return a / 2 == 3 && -a / 2 == -3 && a % -3 == 1 && -a % 3 == -1; }
static int t2(void) { u8 a = 255; a++; return a == 0; }
static int t3(void) { u8 a = 200, b = 100; return a + b == 300; }
static int t4(void) { s8 a = 127; a++; return a == -128; }
static int t5(void) { u16 a = 65535; return a * 2 == 131070; }
static int t6(void) { unsigned a = 0; a--; return a == 4294967295u; }
static int t7(void) { int i = -1; unsigned u = 1; return !(i < u); }
static int t8(void) { long long a = -1; unsigned u = 1; return a < u; }
static int t9(void) { return (u8)300 == 44 && (s8)200 == -56; }
static int t10(void) { return (int)3000000000u < 0; }
static int t11(void) { return -1 >> 1 == -1 && -1u >> 31 == 1; }
static int t12(void) { return (1 << 31) < 0; }
static int t13(void) { return 1ll << 40 == 1099511627776ll; }
static int t14(void) { return (0x0f & 0x3c) == 0x0c && (0x0f | 0x30) == 0x3f && (0x0f ^ 0xff) == 0xf0; }
static int t15(void) { return ~0 == -1 && ~0u == 4294967295u; }
static int t16(void) { return !5 == 0 && !0 == 1 && !!7 == 1; }
static int t17(void) { return 'a' == 97 && '\n' == 10 && '\x41' == 65 && '\101' == 65 && '\0' == 0; }
static int t18(void) { return 'ab' == 24930; }
static int t19(void) { return 010 == 8 && 0x10 == 16 && 0b101 == 5; }
static int t20(void) { return sizeof 1 == 4 && sizeof 1ll == 8 && sizeof 'a' == 4; }
static int t21(void) { return sizeof(char) == 1 && sizeof(short) == 2 && sizeof(long long) == 8; }
static int t22(void) { return sizeof(long) == sizeof(void *); }
static int t23(void) { return 2147483647 + 0u == 2147483647u; }
static int t24(void) { return sizeof(2147483648) == (sizeof(long) == 8 ? sizeof(long) : 8); }
static int t25(void) { return 1 ? 2 : 3, 4; }
static int t26(void) { int a = (1, 2, 3); return a == 3; }
static int t27(void) { int a = 5; a += 3; a -= 2; a *= 4; a /= 3; a %= 5; return a == 3; }
static int t28(void) { int a = 0xf0; a >>= 4; a <<= 1; a |= 1; a &= 0x1d; a ^= 2; return a == 0x1f; }
static int t29(void) { int i = 3; int a = i++ * 10 + i; return a == 34 && i == 4; }
static int t30(void) { int i = 3; int a = --i * 10 + i; return a == 22; }
static int t31(void) { s8 c = 100; c += 100; return c == -56; }
static int t32(void) { _Bool b = 256; return b == 1; }
static int t33(void) { _Bool b = 0; b++; b++; return b == 1; }
static int t34(void) { _Bool b = 1; b--; return b == 0; }
static int t35(void) { int x = 0; (void)(x && ++x); return x == 0; }
static int t36(void) { int x = 1; (void)(x || ++x); return x == 1; }
static int t37(void) { int x = 0; return (x ?: 9) == 9; }
static int t38(void) { g = 0; int r = side(1) + side(2); return r == 3 && g == 12; }
static int t39(void) { g = 0; int r = side(1) && side(0) && side(3); return !r && g == 10; }
static int t40(void) { g = 0; int r = (side(1), side(2)); return r == 2 && g == 12; }
static int t41(void) { int a[3] = {1, 2, 3}; return a[0] + a[1] + a[2] == 6; }
static int t42(void) { int a[5] = {1}; return a[4] == 0; }
static int t43(void) { int a[] = {1, 2, 3, 4}; return sizeof a / sizeof a[0] == 4; }
static int t44(void) { int a[4] = {[2] = 5, 6}; return a[2] == 5 && a[3] == 6 && a[0] == 0; }
static int t45(void) { int a[2][3] = {{1, 2}, {4}}; return a[0][1] == 2 && a[1][0] == 4 && a[1][2] == 0; }
static int t46(void) { int a[2][3] = {1, 2, 3, 4}; return a[1][0] == 4; }
static int t47(void) { int a[3]; a[1] = 7; return 1[a] == 7; }
static int t48(void) { int a[3] = {1, 2, 3}, *p = a; return *(p + 2) == 3 && p[1] == 2; }
static int t49(void) { int a[3] = {1, 2, 3}, *p = a; return *p++ == 1 && *p == 2 && *++p == 3; }
static int t50(void) { int a[5], *p = a + 4, *q = a + 1; return p - q == 3 && p > q; }
static int t51(void) { int a[3] = {0}; int *p = &a[2]; *--p = 4; return a[1] == 4; }
static int t52(void) { int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; int (*p)[3] = a + 1; return (*p)[1] == 5; }
static int t53(void) { int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; return arr2(a) == 6; }
static int t54(void) { int a[3] = {4, 5, 6}; return arrsum(a, 3) == 15; }
static int t55(void) { arr3 a = {1, 2, 3}; return sizeof a == 12; }
static int t56(void) { int n = 3; int a[n]; a[n - 1] = 8; return sizeof a == 12 && a[2] == 8; }
static int t57(void) { int n = 2, m = 3; int a[n][m]; a[1][2] = 9; return a[1][2] == 9 && sizeof a == 24; }
static int t58(void) { char s[] = "abc"; return sizeof s == 4 && s[3] == 0; }
static int t59(void) { char s[5] = "ab"; return s[2] == 0 && s[4] == 0; }
static int t60(void) { const char *s = "ab" "cd"; return s[3] == 'd'; }
static int t61(void) { return "hello"[1] == 'e' && sizeof "hello" == 6; }
static int t62(void) { return gstr[2] == 'z'; }
static int t63(void) { return *gptr == 2 && ga[3] == 0 && gs == 7; }
static int t64(void) { return gp.x == 0 && gp.y == 4; }
static int t65(void) { struct pt p = {1, 2}; return p.x + p.y == 3; }
static int t66(void) { struct pt p = {.y = 1, .x = 2}; return p.x == 2; }
static int t67(void) { struct pt p = {y: 5}; return p.y == 5 && p.x == 0; }
static int t68(void) { struct pt p = {1, 2}, q = p; q.x = 9; return p.x == 1 && q.y == 2; }
static int t69(void) { struct pt p = mk(3, 4); return p.x == 3 && mk(5, 6).y == 6; }
static int t70(void) { struct pt p = {3, 4}; return sump(p) == 7 && p.x == 3; }
static int t71(void) { struct pt p; setp(&p, 5); return p.x == 5 && p.y == -5; }
static int t72(void) { struct pt a[2] = {{1, 2}, {3, 4}}; struct pt *q = a; q++; return q->x == 3; }
static int t73(void) { struct pt a[2] = {[1].y = 8}; return a[1].y == 8 && a[0].x == 0; }
static int t74(void) { struct pt p = {1, 2}; struct pt *q = &p; int *r = &q->y; *r = 7; return p.y == 7; }
static int t75(void) { ptt p = {4, 4}; return p.x == 4; }
static int t76(void) { return sizeof(struct mix) == (sizeof(long) == 8 ? 24 : 20); }
static int t77(void) { return __builtin_offsetof(struct mix, h) == 8; }
static int t78(void) { struct bits b; b.a = 9; b.b = 17; b.c = 511; b.d = 2; return b.a == 1 && b.b == -15 && b.c == 511 && b.d == 1; }
static int t79(void) { struct bits b = {0}; b.a = 7; b.a++; return b.a == 0; }
static int t80(void) { struct bits b = {7, -1, 3, 1}; struct bits c = b; return c.b == -1 && c.c == 3; }
static int t81(void) { return sizeof(struct bits) == 8; }
static int t82(void) { union un u; u.w = 0x01020304; return u.b[0] == 4 && u.h[1] == 0x0102; }
static int t83(void) { union un u = {.b = {1, 2, 3, 4}}; return u.w == 0x04030201; }
static int t84(void) { union un u = {5}, v = u; return v.w == 5; }
static int t85(void) { struct anon a; a.i = 300; a.q = 4; return a.c == 44 && a.q == 4; }
static int t86(void) { struct self b = {2, 0}, a = {1, &b}; return a.n->v == 2 && !a.n->n; }
static int t87(void) { return sizeof(struct flex) == 4; }
static int t88(void) { return sizeof(struct pk) == 5 && __builtin_offsetof(struct pk, i) == 1; }
static int t89(void) { return sizeof(struct al) == 32 && __builtin_offsetof(struct al, i) == 16; }
static int t90(void) { struct pk p = {'a', 77}; return p.i == 77 && p.c == 'a'; }
static int t91(void) { return E0 == 0 && E6 == 6 && EN == -2 && EM == -1; }
static int t92(void) { enum en e = E5; return e + 1 == E6; }
static int t93(void) { enum { L1 = 3, L2 }; return L2 == 4; }
static int t94(void) { return inc(4) == 5 && inl(5) == 25; }
static int t95(void) { fn f = inc; return f(1) == 2 && (*f)(1) == 2 && (***f)(1) == 2; }
static int t96(void) { fn f = &dbl; return apply(f, 4) == 8; }
static int t97(void) { fn t[2] = {inc, dbl}; return t[1](5) == 10 && t[0](5) == 6; }
static int t98(void) { return pick(0)(3) == 6 && pick(1)(3) == 4; }
static int t99(void) { fn f = inc; return f == inc && f != dbl && f; }
static int t100(void) { return knr(1, 300) == 45; }
static int t101(void) { int a = count(), b = count(); return b == a + 1; }
static int t102(void) { return fib(10) == 55; }
static int t103(void) { return many(1, 2, 3, 4, mk(5, 6)) == 15; }
static int t104(void) { return sw(1) == 10 && sw(2) == 7 && sw(3) == 8 && sw(4) == 4 && sw(9) == -1; }
static int t105(void) { return gotos(4) == 10; }
static int t106(void) { int s = 0; for (int i = 0; i < 5; i++) { if (i == 3) continue; s += i; } return s == 7; }
static int t107(void) { int s = 0; for (;;) { if (++s == 4) break; } return s == 4; }
static int t108(void) { int i = 0; do i++; while (i < 3); return i == 3; }
static int t109(void) { int i = 10, n = 0; while (i --> 0) n++; return n == 10; }
static int t110(void) { int n = 0; for (int i = 0, j = 9; i < j; i++, j--) n++; return n == 5; }
static int t111(void) { int x = 1; { int x = 2; { int x = 3; (void)x; } if (x != 2) return 0; } return x == 1; }
static int t112(void) { int x = 3; switch (x) { case 1 ... 5: return 1; default: return 0; } }
static int t113(void) { int r = 0; switch (2) { int z; case 2: z = 4; r = z; } return r == 4; }
static int t114(void) { int n = 5, r = 0; switch (n % 4) { case 0: do { r++; case 3: r++; case 2: r++; case 1: r++; } while ((n -= 4) > 0); } return r == 5 - 0 || r == 1; }
static int t115(void) { long long v = 5000000000ll; switch (v) { case 5000000000ll: return 1; } return 0; }
static int t116(void) { int y = ({ int t = 3; t + 1; }); return y == 4; }
static int t117(void) { __typeof__(1ll) v = 1ll << 33; return v == 8589934592ll; }
static int t118(void) { int a[2] = {1, 2}; __typeof__(a) b; b[1] = 3; return b[1] == 3 && sizeof b == 8; }
static int t119(void) { int *p = (int[]){7, 8}; return p[1] == 8; }
static int t120(void) { struct pt *p = &(struct pt){.x = 6}; return p->x == 6 && p->y == 0; }
static int t121(void) { return ((struct pt){1, 2}).y == 2; }
static int t122(void) { int x = 5, *p = &x, **q = &p; **q = 6; return x == 6; }
static int t123(void) { int x = 0x12345678; u8 *p = (u8 *)&x; return p[0] == 0x78 && p[3] == 0x12; }
static int t124(void) { int x = 0; ((u8 *)&x)[1] = 1; return x == 256; }
static int t125(void) { int a[2] = {1, 2}; s64 v; memcpy(&v, a, 8); return v == 0x200000001ll; }
static int t126(void) { int x = 4; unsigned long u = (unsigned long)&x; return *(int *)u == 4; }
static int t127(void) { void *p = &gs; return *(int *)p == 7; }
static int t128(void) { int *p = 0; return !p && p == (void *)0; }
static int t129(void) { char c = -1; u8 d = c; return d == 255 && c == -1; }
static int t130(void) { short s = (short)70000; return s == 4464; }
static int t131(void) { unsigned long long a = 1ull << 63; return a > 0 && (s64)a < 0; }
static int t132(void) { u64 a = 0xffffffffffffffffull; return a + 1 == 0 && a / 3 == 0x5555555555555555ull; }
static int t133(void) { s64 a = -9223372036854775807ll - 1; return a % 10 == -8 && a / 2 == -4611686018427387904ll; }
static int t134(void) { u64 a = 10000000000ull; return a * a == 7766279631452241920ull; }
static int t135(void) { u32 a = 0x80000000u; return (s64)a > 0 && (s64)(int)a < 0; }
static int t136(void) { u32 x = 0xdeadbeef; return (x << 8 | x >> 24) == 0xadbeefde; }
static int t137(void) { return __builtin_popcount(0xff) == 8 && __builtin_ctz(8) == 3 && __builtin_clz(1) == 31; }
static int t138(void) { return __builtin_bswap32(0x01020304) == 0x04030201u; }
static int t139(void) { int r; return __builtin_add_overflow(2147483647, 1, &r) && r == -2147483647 - 1; }
static int t140(void) { int r; return !__builtin_mul_overflow(1000, 1000, &r) && r == 1000000; }
static int t141(void) { return __builtin_expect(5 == 5, 1) == 1; }
static int t142(void) { return __builtin_constant_p(3) == 1; }
static int t143(void) { return __builtin_types_compatible_p(int, signed int) && !__builtin_types_compatible_p(int, long); }
static int t144(void) { return _Generic(1, int: 5, default: 6) == 5 && _Generic(1u, int: 5, default: 6) == 6; }
static int t145(void) { _Static_assert(sizeof(int) == 4, "int"); return 1; }
static int t146(void) { return _Alignof(int) == 4 && __alignof__(char) == 1; }
static int t147(void) { extern int gext; return &gext != 0; }
static int t148(void) { static int s[3] = {4, 5}; return s[1]++ == 5 && s[1] == 6; }
static int t149(void) { static int *sp = &gs; return *sp == 7; }
static int t150(void) { const int k = 4; volatile int v = k; return v == 4; }
static int t151(void) { register int r = 3; return r == 3; }
static int t152(void) { int a = 2, b = 3; int t = a; a = b; b = t; return a == 3 && b == 2; }
static int t153(void) { int a[4] = {0}; a[1]++; a[1] += 2; --a[1]; return a[1] == 2; }
static int t154(void) { int i = 0, a[3] = {0}; a[i++] = 5; a[i++] = 6; return a[0] == 5 && a[1] == 6 && i == 2; }
static int t155(void) { struct { int a[3]; } s = {{1, 2, 3}}, t = s; t.a[1] = 9; return s.a[1] == 2 && t.a[1] == 9; }
static int t156(void) { struct { struct pt p; int z; } s = {{1, 2}, 3}; s.p.x += s.z; return s.p.x == 4; }
static int t157(void) { struct { char c[3]; int i; } s = {"ab", 5}; return s.c[1] == 'b' && s.i == 5; }
static int t158(void) { struct pt a[3] = {{1, 1}, {2, 2}, {3, 3}}; int i, s = 0; for (i = 0; i < 3; i++) s += a[i].x * a[i].y; return s == 14; }
static int t159(void) { int x = 3; return (x > 2) + (x > 3) == 1; }
static int t160(void) { int x = -5; return (x < 0 ? -x : x) == 5; }
static int t161(void) { unsigned u = 5; return -u == 4294967291u; }
static int t162(void) { int x = 7; return x == 7 ? 1 : (never(), 0); }
static int t163(void) { return 1.5 < 2.5 && 1.0f == 1.0 && !(2.0 < 1.0); }
static int t164(void) { double d = 2.5; double e = d; return e == 2.5 && -e < 0.0; }
static int t165(void) { if (0) ; else return 1; return 0; }
static int t166(void) { ; ; {} ; return 1; }
static int t167(void) { int i = 5; while (i) { i--; if (i == 2) break; } return i == 2; }
static int t168(void) { int s = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) { if (j == 2) break; s++; } return s == 6; }
static int t169(void) { int a = 1; if (a) if (a > 5) return 0; else a = 9; return a == 9; }
static int t170(void) { unsigned char a = 1, b = 2; return (a - b) < 0 && (u8)(a - b) == 255; }
static int t171(void) { int x = 1; x = x++ + 1; return x == 2 || x == 3; }
static int t172(void) { u16 a = 0xffff, b = 0xffff; return (u32)a * b == 0xfffe0001u; }
int main(void) {
  if (!t1()) return 1;
  if (!t2()) return 2;
  if (!t3()) return 3;
  if (!t4()) return 4;
  if (!t5()) return 5;
  if (!t6()) return 6;
  if (!t7()) return 7;
  if (!t8()) return 8;
  if (!t9()) return 9;
  if (!t10()) return 10;
  if (!t11()) return 11;
  if (!t12()) return 12;
  if (!t13()) return 13;
  if (!t14()) return 14;
  if (!t15()) return 15;
  if (!t16()) return 16;
  if (!t17()) return 17;
  if (!t18()) return 18;
  if (!t19()) return 19;
  if (!t20()) return 20;
  if (!t21()) return 21;
  if (!t22()) return 22;
  if (!t23()) return 23;
  if (!t24()) return 24;
  if (!t25()) return 25;
  if (!t26()) return 26;
  if (!t27()) return 27;
  if (!t28()) return 28;
  if (!t29()) return 29;
  if (!t30()) return 30;
  if (!t31()) return 31;
  if (!t32()) return 32;
  if (!t33()) return 33;
  if (!t34()) return 34;
  if (!t35()) return 35;
  if (!t36()) return 36;
  if (!t37()) return 37;
  if (!t38()) return 38;
  if (!t39()) return 39;
  if (!t40()) return 40;
  if (!t41()) return 41;
  if (!t42()) return 42;
  if (!t43()) return 43;
  if (!t44()) return 44;
  if (!t45()) return 45;
  if (!t46()) return 46;
  if (!t47()) return 47;
  if (!t48()) return 48;
  if (!t49()) return 49;
  if (!t50()) return 50;
  if (!t51()) return 51;
  if (!t52()) return 52;
  if (!t53()) return 53;
  if (!t54()) return 54;
  if (!t55()) return 55;
  if (!t56()) return 56;
  if (!t57()) return 57;
  if (!t58()) return 58;
  if (!t59()) return 59;
  if (!t60()) return 60;
  if (!t61()) return 61;
  if (!t62()) return 62;
  if (!t63()) return 63;
  if (!t64()) return 64;
  if (!t65()) return 65;
  if (!t66()) return 66;
  if (!t67()) return 67;
  if (!t68()) return 68;
  if (!t69()) return 69;
  if (!t70()) return 70;
  if (!t71()) return 71;
  if (!t72()) return 72;
  if (!t73()) return 73;
  if (!t74()) return 74;
  if (!t75()) return 75;
  if (!t76()) return 76;
  if (!t77()) return 77;
  if (!t78()) return 78;
  if (!t79()) return 79;
  if (!t80()) return 80;
  if (!t81()) return 81;
  if (!t82()) return 82;
  if (!t83()) return 83;
  if (!t84()) return 84;
  if (!t85()) return 85;
  if (!t86()) return 86;
  if (!t87()) return 87;
  if (!t88()) return 88;
  if (!t89()) return 89;
  if (!t90()) return 90;
  if (!t91()) return 91;
  if (!t92()) return 92;
  if (!t93()) return 93;
  if (!t94()) return 94;
  if (!t95()) return 95;
  if (!t96()) return 96;
  if (!t97()) return 97;
  if (!t98()) return 98;
  if (!t99()) return 99;
  if (!t100()) return 100;
  if (!t101()) return 101;
  if (!t102()) return 102;
  if (!t103()) return 103;
  if (!t104()) return 104;
  if (!t105()) return 105;
  if (!t106()) return 106;
  if (!t107()) return 107;
  if (!t108()) return 108;
  if (!t109()) return 109;
  if (!t110()) return 110;
  if (!t111()) return 111;
  if (!t112()) return 112;
  if (!t113()) return 113;
  if (!t114()) return 114;
  if (!t115()) return 115;
  if (!t116()) return 116;
  if (!t117()) return 117;
  if (!t118()) return 118;
  if (!t119()) return 119;
  if (!t120()) return 120;
  if (!t121()) return 121;
  if (!t122()) return 122;
  if (!t123()) return 123;
  if (!t124()) return 124;
  if (!t125()) return 125;
  if (!t126()) return 126;
  if (!t127()) return 127;
  if (!t128()) return 128;
  if (!t129()) return 129;
  if (!t130()) return 130;
  if (!t131()) return 131;
  if (!t132()) return 132;
  if (!t133()) return 133;
  if (!t134()) return 134;
  if (!t135()) return 135;
  if (!t136()) return 136;
  if (!t137()) return 137;
  if (!t138()) return 138;
  if (!t139()) return 139;
  if (!t140()) return 140;
  if (!t141()) return 141;
  if (!t142()) return 142;
  if (!t143()) return 143;
  if (!t144()) return 144;
  if (!t145()) return 145;
  if (!t146()) return 146;
  if (!t147()) return 147;
  if (!t148()) return 148;
  if (!t149()) return 149;
  if (!t150()) return 150;
  if (!t151()) return 151;
  if (!t152()) return 152;
  if (!t153()) return 153;
  if (!t154()) return 154;
  if (!t155()) return 155;
  if (!t156()) return 156;
  if (!t157()) return 157;
  if (!t158()) return 158;
  if (!t159()) return 159;
  if (!t160()) return 160;
  if (!t161()) return 161;
  if (!t162()) return 162;
  if (!t163()) return 163;
  if (!t164()) return 164;
  if (!t165()) return 165;
  if (!t166()) return 166;
  if (!t167()) return 167;
  if (!t168()) return 168;
  if (!t169()) return 169;
  if (!t170()) return 170;
  if (!t171()) return 171;
  if (!t172()) return 172;
  return 0;
}
