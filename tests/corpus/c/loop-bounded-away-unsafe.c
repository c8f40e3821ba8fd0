// A loop that stays below a bound
// verdict(unreach-call): false
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int x = 0;
  while (1) {
    if (__VERIFIER_nondet_bool()) { if (x <= 10) x++; } else if (x > 0) x--;
    check(x <= 10);
  }
  return 0;
}
