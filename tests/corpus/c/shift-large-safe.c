// A shift by the width
// verdict(shift-range): true
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned k = __VERIFIER_nondet_uint() % 32;
  return 1u << k == 2;
}
