// The conditional with an omitted operand
// verdict(unreach-call): false
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = x ?: 7;
  check(y != 1);
  return 0;
}
