// A counter that stops at its bound
// verdict(unreach-call): false
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0;
  __VERIFIER_assume(n <= 1000);
  while (i < n) i++;
  check(i == n && n != 7);
  return 0;
}
