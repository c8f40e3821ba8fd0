// Signed addition
// verdict(no-overflow): true
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 0x7ffffffe - 0 || x == 0x7fffffff) return 0;
  int y = x + 1;
  return y > 0;
}
