// Swapping by exclusive or
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), x = a, y = b;
  x ^= y; y ^= x; x ^= y;
  check(x == b && y == a);
  return 0;
}
