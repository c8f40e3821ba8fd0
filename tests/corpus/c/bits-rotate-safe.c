// Rotating right and left
// verdict(unreach-call): true
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();
  __VERIFIER_assume(k > 0 && k < 32);
  unsigned y = x << k | x >> (32 - k);
  check((y >> k | y << (32 - k)) == x);
  return 0;
}
