// Fig. 10 of "Software Verification with PDR" (Beyer, Dangl): needs x mod 4 = 0.
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
  unsigned int x = 0;
  while (__VERIFIER_nondet_int()) {
    x += 4;
  }
  __VERIFIER_assert(!(x % 4));
  return 0;
}
