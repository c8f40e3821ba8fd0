// Fig. 1 of "Software Verification with PDR" (Beyer, Dangl): needs y = z, which holds at first by w = x.
// verdict(unreach-call): true
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned int w = __VERIFIER_nondet_uint();
  unsigned int x = w;
  unsigned int y = w + 1;
  unsigned int z = x + 1;
  while (__VERIFIER_nondet_uint()) {
    y++;
    z++;
  }
  check(y == z);
  return 0;
}
