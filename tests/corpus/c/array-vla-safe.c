// An array of variable length
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 0 && n < 5);
  int a[n];
  for (int i = 0; i < n; i++) a[i] = n;
  check(a[n - 1] == n && sizeof a == 4 * n);
  return 0;
}
