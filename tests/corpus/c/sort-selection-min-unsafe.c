// Selection puts the least first
// verdict(unreach-call): false
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned char a[4];
  for (int i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_uint();
  int m = 0;
  for (int i = 1; i < 4; i++) if (a[i] < a[m]) m = i;
  unsigned char t = a[0]; a[0] = a[m]; a[1] = t;
  check(a[0] <= a[1] && a[0] <= a[2] && a[0] <= a[3] && m != 2);
  return 0;
}
