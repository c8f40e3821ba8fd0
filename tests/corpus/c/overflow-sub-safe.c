// Signed subtraction
// verdict(no-overflow): true
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 && x < -5) return 0;
  return x - 7;
}
