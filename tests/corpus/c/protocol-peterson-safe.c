// Mutual exclusion by flags and turn, interleaved by hand
// verdict(unreach-call): true
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int pc0 = 0, pc1 = 0, turn = 0;
  _Bool f0 = 0, f1 = 0;
  while (1) {
    if (__VERIFIER_nondet_bool()) {
      if (pc0 == 0) { f0 = 1; pc0 = 1; }
      else if (pc0 == 1) { turn = 1; pc0 = 2; }
      else if (pc0 == 2) { if (!f1 || turn == 0) pc0 = 3; }
      else { f0 = 0; pc0 = 0; }
    } else {
      if (pc1 == 0) { f1 = 1; pc1 = 1; }
      else if (pc1 == 1) { turn = 0; pc1 = 2; }
      else if (pc1 == 2) { if (!f0 || turn == 1) pc1 = 3; }
      else { f1 = 0; pc1 = 0; }
    }
    check(!(pc0 == 3 && pc1 == 3));
  }
  return 0;
}
