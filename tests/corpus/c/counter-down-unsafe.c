// Two counters whose sum stays the same
// verdict(unreach-call): false
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned x = __VERIFIER_nondet_uint() % 50, y = 0, s = x;
  while (x > 0) { x--; y += x == 3 ? 2 : 1; }
  check(y == s);
  return 0;
}
