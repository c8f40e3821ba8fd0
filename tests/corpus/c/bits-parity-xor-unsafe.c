// Parity of two numbers adds up
// verdict(unreach-call): false
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static int parity(unsigned x) { int p = 0; while (x) { p ^= x & 1; x >>= 1; } return p; }
int main(void) {
  unsigned a = __VERIFIER_nondet_uint() & 15, b = __VERIFIER_nondet_uint() & 15;
  check(parity(a | b) == (parity(a) ^ parity(b)));
  return 0;
}
