// The length of a string of any length
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
char s[1000];
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n < 1000);
  for (int i = 0; i < n; i++) s[i] = 'x';
  s[n] = 0;
  int length = 0;
  while (s[length] != 0) length++;
  check(length == n);
  return 0;
}
