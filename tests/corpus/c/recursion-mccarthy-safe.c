// McCarthy's function is 91 up to 101
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static int f(int x) { return x > 100 ? x - 10 : f(f(x + 11)); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  int r = f(x);
  check(x > 101 || r == 91);
  return 0;
}
