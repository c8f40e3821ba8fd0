// A shift by the width
// verdict(shift-range): false at 6:10
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned k = __VERIFIER_nondet_uint() % 33;
  return 1u << k == 2;
}
