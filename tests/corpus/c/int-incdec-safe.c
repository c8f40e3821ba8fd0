// Prefix and postfix
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int i = 5, a = i++ + 1, b = ++i + 1, c = i-- - --i;
  check(a == 6 && b == 8 && c == 2 && i == 5);
  return 0;
}
