// Counting bits by clearing the lowest
// verdict(unreach-call): false
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned x = __VERIFIER_nondet_uint() & 0xff, n = 0;
  for (unsigned y = x; y; y &= y - 1) n++;
  check(n == (unsigned)__builtin_popcount(x) && n < 8);
  return 0;
}
