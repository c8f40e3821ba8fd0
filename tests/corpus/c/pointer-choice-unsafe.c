// A pointer to one of two objects
// verdict(unreach-call): false
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int a = 0, b = 0, c = __VERIFIER_nondet_bool(), *p = c ? &a : &b;
  *p = 1;
  check(a == c && b == c);
  return 0;
}
