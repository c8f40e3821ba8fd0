// Fig. 10 of "Software Verification with PDR" (Beyer, Dangl): needs x mod 4 = 0.
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned int x = 0;
  while (__VERIFIER_nondet_int()) x += 4;
  check(!(x % 4));
  return 0;
}
