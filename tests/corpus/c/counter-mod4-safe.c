// Multiplying and adding modulo a power of two
// verdict(unreach-call): true
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned x = 0;
  while (__VERIFIER_nondet_bool()) x = x + 4;
  check(x % 4 != 2);
  return 0;
}
