// Reversing twice gives the array again
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static void reverse(int *a, int n) {
  for (int i = 0; i < n / 2; i++) { int t = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = t; }
}
int main(void) {
  int a[5] = {1, 2, 3, 4, 5};
  reverse(a, 5);
  check(a[0] == 5 && a[4] == 1);
  reverse(a, 5);
  for (int i = 0; i < 5; i++) check(a[i] == i + 1);
  return 0;
}
