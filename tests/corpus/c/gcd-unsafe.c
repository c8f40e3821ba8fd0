// The divisor of both numbers
// verdict(unreach-call): false
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned a = __VERIFIER_nondet_uint() % 16, b = __VERIFIER_nondet_uint() % 16;
  __VERIFIER_assume(a > 0 && b > 0);
  unsigned x = a, y = b;
  while (y != 0) { unsigned t = x % y; x = y; y = t; }
  check(a % x == 0 && x < 8);
  return 0;
}
