// Absolute value without a branch
// verdict(unreach-call): false
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  
  int m = x >> 31;
  check(((x + m) ^ m) >= 0);
  return 0;
}
