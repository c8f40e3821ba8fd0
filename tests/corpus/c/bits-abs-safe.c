// Absolute value without a branch
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > -2147483647 - 1);
  int m = x >> 31;
  check(((x + m) ^ m) >= 0);
  return 0;
}
