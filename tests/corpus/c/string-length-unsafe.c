// Length of a literal
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  const char *s = "hello";
  unsigned n = 0;
  while (s[n]) n++;
  check(n == 6);
  return 0;
}
