// Division by zero
// verdict(div-by-zero): true
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 0) return 1;
  return 100u / (unsigned)x > 3;
}
