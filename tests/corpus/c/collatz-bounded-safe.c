// A bounded run of the Collatz steps
// verdict(unreach-call): true
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 8 + 1, k = 0;
  while (n != 1 && k < 20) { n = n % 2 ? 3 * n + 1 : n / 2; k++; }
  check(k <= 16);
  return 0;
}
