// Signed addition
// verdict(no-overflow): false at 7:11
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 0x7fffffff - 0 - 0 || x == 5) return 0;
  int y = x + 1;
  return y > 0;
}
