// The device driver idiom: a lock released when a counter did not change
// verdict(unreach-call): false
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int lock = 0, old, new = 0;
  do {
    check(lock == 0); lock = 1; old = new;
    if (__VERIFIER_nondet_bool()) { lock = 0; new++; }
  } while (new != old);
  check(lock == 0);
  return 0;
}
