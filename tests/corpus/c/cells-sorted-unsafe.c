// What is found to be sorted is
// verdict(unreach-call): false
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int a[100000];
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 1 && n <= 100000);
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int sorted = 1;
  for (int i = 2; i < n; i++)
    if (a[i - 1] > a[i]) sorted = 0;
  if (sorted)
    for (int i = 1; i < n; i++) check(a[i - 1] <= a[i]);
  return 0;
}
