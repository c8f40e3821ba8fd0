// Doubling reaches a power of two
// verdict(unreach-call): false
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned p = 1;
  for (unsigned i = 0; i < 31 && __VERIFIER_nondet_bool(); i++) p = p * 2 + (i == 6);
  check((p & (p - 1)) == 0);
  return 0;
}
