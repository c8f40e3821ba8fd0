// A request is answered before the next one
// verdict(unreach-call): false
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  _Bool req = 0, ack = 0;
  while (1) {
    if (__VERIFIER_nondet_bool()) { if (!req ) req = 1; }
    else if (req && !ack) ack = 1;
    else if (ack) { if (__VERIFIER_nondet_bool()) req = 0; else ack = 0; }
    check(!ack || req);
  }
  return 0;
}
