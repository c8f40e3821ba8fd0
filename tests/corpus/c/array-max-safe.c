// The maximum is not below any element
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int a[5], max;
  for (int i = 0; i < 5; i++) a[i] = __VERIFIER_nondet_int();
  max = a[0];
  for (int i = 1; i < 5; i++) if (a[i] > max) max = a[i] ;
  for (int i = 0; i < 5; i++) check(a[i] <= max);
  return 0;
}
