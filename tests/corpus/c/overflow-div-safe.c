// The least number divided by minus one
// verdict(no-overflow): true
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int();
  if (d == 0 || d == -1) return 0;
  return x / d;
}
