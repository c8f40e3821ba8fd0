// Fig. 11 of "Software Verification with PDR" (Beyer, Dangl): needs x mod 8 = 5.
// verdict(unreach-call): true
extern unsigned int __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
void __VERIFIER_assert(int cond) {
  if (!cond) {
    __VERIFIER_error();
  }
}

int main(void) {
  unsigned int x = 5;
  while (__VERIFIER_nondet_int()) {
    x += 8;
  }
  __VERIFIER_assert((x & 5) == 5);
  return 0;
}
