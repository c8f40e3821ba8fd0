// The body of do-while runs at least once
// verdict(unreach-call): false
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int n = __VERIFIER_nondet_int(), k = 0;
  __VERIFIER_assume(n < 5);
  do k++; while (k < n);
  check(k >= 2);
  return 0;
}
