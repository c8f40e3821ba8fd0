// Fig. 7 of "Software Verification with PDR" (Beyer, Dangl): needs w = x and y = z.
// verdict(unreach-call): true
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
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
  check(w == x && y == z);
  return 0;
}
