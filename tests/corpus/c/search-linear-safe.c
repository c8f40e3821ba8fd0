// Linear search
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int a[5] = {4, 8, 15, 16, 23}, key = __VERIFIER_nondet_int(), at = -1;
  for (int i = 0; i < 5; i++) if (a[i] == key) at = i;
  if (at >= 0) check(a[at < 0 ? 0 : at] == key);
  return 0;
}
