// Signed subtraction
// verdict(no-overflow): false at 7:10
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < -5 && x < -5) return 0;
  return x - 0x7fffffff - 1;
}
