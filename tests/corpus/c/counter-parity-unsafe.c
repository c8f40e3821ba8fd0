// Steps of two keep parity
// verdict(unreach-call): false
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned x = 1;
  while (__VERIFIER_nondet_bool()) x += 2;
  check(x % 2 == 0);
  return 0;
}
