// Binary search finds what is there
// verdict(unreach-call): false
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int a[7] = {1, 3, 5, 7, 9, 11, 13}, key = __VERIFIER_nondet_int();
  __VERIFIER_assume(key >= 1 && key <= 13 && key % 2 == 1);
  int lo = 0, hi = 7;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (a[mid] < key) lo = mid + 2; else hi = mid;
  }
  check(lo < 7 && a[lo] == key);
  return 0;
}
