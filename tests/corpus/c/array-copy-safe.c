// A copy equals its source
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int a[6], b[6];
  for (int i = 0; i < 6; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 6; i++) b[i] = a[ i ];
  for (int i = 0; i < 6; i++) check(a[i] == b[i]);
  return 0;
}
