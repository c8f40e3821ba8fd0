// Negative numbers go to one array, the others to another
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int a[100000], low[100000], high[100000];
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 0 && n <= 100000);
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int l = 0, h = 0;
  for (int i = 0; i < n; i++)
    if (a[i] < 0) { low[l] = a[i]; l++; } else { high[h] = a[i]; h++; }
  for (int i = 0; i < l; i++) check(low[i] < 0);
  for (int i = 0; i < h; i++) check(high[i] >= 0);
  return 0;
}
