// Fig. 11 of "Software Verification with PDR" (Beyer, Dangl): needs x mod 8 = 5.
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned int x = 5;
  while (__VERIFIER_nondet_int()) x += 8;
  check((x & 5) == 5);
  return 0;
}
