// Sequence numbers of sender and receiver
// verdict(unreach-call): false
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned send = 0, recv = 0;
  _Bool busy = 0;
  while (1) {
    if (!busy) { busy = 1; send++; }
    else if (__VERIFIER_nondet_bool()) { recv++; busy = __VERIFIER_nondet_bool(); }
    check(send - recv <= 1u);
  }
  return 0;
}
