// Fig. 6 of "Software Verification with PDR" (Beyer, Dangl): needs s = 0.
// verdict(unreach-call): true
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned int s = 0;
  while (__VERIFIER_nondet_uint()) {
    if (s != 0) {
      ++s;
    }
    if (__VERIFIER_nondet_uint()) {
      check(s == 0);
    }
  }
  return 0;
}
