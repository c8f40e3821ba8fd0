// A palindrome reads the same both ways
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  char s[] = "level";
  int n = sizeof s - 1;
  for (int i = 0; i < n; i++) check(s[i] == s[n - 1 - i]);
  return 0;
}
