// The right side is evaluated only where needed
// verdict(unreach-call): true
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static int calls;
static int touch(void) { calls++; return 1; }
int main(void) {
  int x = __VERIFIER_nondet_bool();
  int r = x && touch();
  check(calls == x && r == x);
  return 0;
}
