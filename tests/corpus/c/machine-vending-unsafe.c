// Coins pay for what is given
// verdict(unreach-call): false
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int credit = 0, sold = 0, paid = 0;
  for (int i = 0; i < 8; i++) {
    if (__VERIFIER_nondet_bool()) { credit++; paid++; }
    else if (credit >= 2) { credit -= 2; sold++; }
  }
  check(sold * 3 <= paid);
  return 0;
}
