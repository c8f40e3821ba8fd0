// Variables that move together
// verdict(unreach-call): true
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_bool()) {
    if (x > 1000000) break;
    x++; y++;
  }
  check(x == y);
  return 0;
}
