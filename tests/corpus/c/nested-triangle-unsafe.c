// A triangle of inner steps
// verdict(unreach-call): false
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), k = 0;
  __VERIFIER_assume(n < 8);
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j <= i; j++) k++;
  check(2 * k == n * (n - 1));
  return 0;
}
