// Reversing the bits of a byte twice
// verdict(unreach-call): true
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static unsigned char rev(unsigned char b) {
  b = (b & 0xf0) >> 4 | (b & 0x0f) << 4;
  b = (b & 0xcc) >> 2 | (b & 0x33) << 2;
  return (b & 0xaa) >> 1 | (b & 0x55) << 1;
}
int main(void) {
  unsigned char b = __VERIFIER_nondet_uint();
  check(rev(rev(b)) == b);
  return 0;
}
