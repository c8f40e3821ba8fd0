// Fig. 7 of "Software Verification with PDR" (Beyer, Dangl): needs w = x and y = z.
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
  unsigned int w = __VERIFIER_nondet_uint();
  unsigned int x = w;
  unsigned int y = __VERIFIER_nondet_uint();
  unsigned int z = y;
  while (__VERIFIER_nondet_uint()) {
    if (__VERIFIER_nondet_uint()) {
      ++w;
      ++x;
    } else {
      --y;
      --z;
    }
  }
  __VERIFIER_assert(w == x && y == z);
  return 0;
}
