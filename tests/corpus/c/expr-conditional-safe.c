// Nested conditional operators
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  int s = x > 0 ? 1 : x < 0 ? -1 : 0;
  check((s > 0) == (x > 0) && (s < 0) == (x < 0));
  return 0;
}
