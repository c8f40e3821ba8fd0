// _Bool holds zero or one
// verdict(unreach-call): false
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  _Bool b = x;
  check(b == x);
  return 0;
}
