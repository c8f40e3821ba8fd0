// Every element is set
// verdict(unreach-call): false
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int a[8];
  for (int i = 0; i < 7; i++) a[i] = i * i;
  int k = __VERIFIER_nondet_int();
  __VERIFIER_assume(k >= 0 && k < 8);
  check(a[k] == k * k);
  return 0;
}
