// McCarthy's function is 92 at 102
// verdict(unreach-call): false
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static int f(int x) { return x > 100 ? x - 10 : f(f(x + 11)); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  int r = f(x);
  check(x > 102 || r == 91);
  return 0;
}
