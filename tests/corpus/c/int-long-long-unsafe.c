// Sixty-four bits
// verdict(unreach-call): false
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  unsigned long long p = (unsigned long long)a * b;
  check(p <= 0x1fffffffeull);
  return 0;
}
