// Two locks chosen by flags
// verdict(unreach-call): false
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int p1 = __VERIFIER_nondet_int(), p2 = __VERIFIER_nondet_int(), l1, l2;
  while (__VERIFIER_nondet_bool()) {
    l1 = 0; l2 = 0;
    if (p1 != 0) l1 = 1;
    if (p2 != 0) l2 = 1;
    if (p1 != 0) { check(l1 == 1); l1 = 0; }
    if (p1 != 0) { check(l2 == 1); l2 = 0; }
  }
  return 0;
}
