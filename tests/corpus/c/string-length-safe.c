// Length of a literal
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  const char *s = "hello";
  unsigned n = 0;
  while (s[n]) n++;
  check(n == 5);
  return 0;
}
