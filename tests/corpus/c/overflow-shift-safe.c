// A byte shifted in an unsigned type
// verdict(no-overflow): true
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned wide = 1 | (unsigned)__VERIFIER_nondet_uchar() << 24;
  int low = __VERIFIER_nondet_uchar() << 16;
  return wide == 0 || low < 0;
}
