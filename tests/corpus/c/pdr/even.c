// Fig. 8 of "Software Verification with PDR" (Beyer, Dangl): needs x mod 2 = 0.
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned int x = 0;
  while (__VERIFIER_nondet_int()) x += 2;
  check(!(x % 2));
  return 0;
}
