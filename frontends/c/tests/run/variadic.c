/* Arguments without parameters: promotion, structs, lists copied and passed on. */
#include <stdarg.h>
struct pair { int a; long long b; };
struct tiny { char c; };
static int sum(int n, ...) {
  va_list ap; int s = 0;
  va_start(ap, n);
  while (n--) s += va_arg(ap, int);
  va_end(ap);
  return s;
}
static long long mixed(int first, ...) {
  va_list ap;
  va_start(ap, first);
  long long r = va_arg(ap, long long);
  struct pair p = va_arg(ap, struct pair);
  struct tiny t = va_arg(ap, struct tiny);
  double d = va_arg(ap, double);
  unsigned u = va_arg(ap, unsigned);
  char *s = va_arg(ap, char *);
  int c = va_arg(ap, int);
  va_end(ap);
  return r + p.a + p.b + t.c + (d == 0.5) + u + s[1] + c;
}
static int rest(va_list ap) { return va_arg(ap, int) * 10 + va_arg(ap, int); }
static int passed_on(int n, ...) {
  va_list ap, copy;
  va_start(ap, n);
  int x = va_arg(ap, int);
  va_copy(copy, ap);
  int y = rest(ap), z = va_arg(copy, int);
  va_end(copy);
  va_end(ap);
  return x * 1000 + y * 10 + z + n;
}
static int deep(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int v = va_arg(ap, int);
  int r = n ? deep(n - 1, v + 1) : v;
  va_end(ap);
  return r;
}
static void set(int n, ...) {
  va_list ap;
  va_start(ap, n);
  *va_arg(ap, int *) = n;
  va_end(ap);
}
int main(void) {
  struct pair p = {1, 2};
  struct tiny t = {3};
  char c = 4; short h = 5; double f = 0.5; int x = 0;
  if (sum(0) != 0 || sum(3, 1, 2, 3) != 6 || sum(2, c, h) != 9) return 1;
  if (mixed(0, 100LL, p, t, f, 7u, "ab", c) != 100 + 1 + 2 + 3 + 1 + 7 + 'b' + 4) return 2;
  if (passed_on(5, 1, 2, 3) != 1000 + 230 + 2 + 5) return 3;
  if (deep(3, 10) != 13) return 4;
  set(8, &x);
  if (x != 8) return 5;
  int (*q)(int, ...) = sum;
  return q(2, 20, 22) == 42 ? 0 : 6;
}
