// Recursion through a function pointer reaches zero
// verdict(unreach-call): false
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
typedef int (*step)(int, int);
static int walk(step f, int n, int sum) { return n <= 0 ? sum : f(n - 1, sum + 1); }
static int down(int n, int sum) { return walk(down, n, sum); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  int r = walk(down, n, 0);
  check(r != 7);
  return 0;
}
