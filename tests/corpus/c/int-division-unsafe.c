// Division truncates toward zero
// verdict(unreach-call): false
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  __VERIFIER_assume(b > 0 && b < 100 && a > -1000 && a < 1000);
  check(a / b * b + a % b == a && a % b >= 0);
  return 0;
}
