// Transitions in a table
// verdict(unreach-call): false
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static const unsigned char next[4][2] = { {1, 0}, {2, 0}, {3, 0}, {0, 0} };
int main(void) {
  unsigned s = 0, ones = 0;
  for (int i = 0; i < 6; i++) {
    _Bool zero = __VERIFIER_nondet_bool();
    s = next[s][zero];
    ones = zero ? 0 : ones + 1;
    if (ones >= 4) check(s == 3);
  }
  return 0;
}
