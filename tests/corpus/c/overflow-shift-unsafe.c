// A byte shifted into the sign of an int
// verdict(no-overflow): false at 5:23
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned wide = 1 | __VERIFIER_nondet_uchar() << 24;
  return wide == 0;
}
