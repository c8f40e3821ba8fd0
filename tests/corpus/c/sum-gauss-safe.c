// The sum of the first numbers
// verdict(unreach-call): true
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), s = 0;
  __VERIFIER_assume(n <= 10);
  for (unsigned i = 1; i <= n; i++) s += i;
  check(s *2 == n * (n + 1));
  return 0;
}
