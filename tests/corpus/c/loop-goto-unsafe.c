// A loop made of goto
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int i = 0;
again:
  i += 3;
  if (i < 30) goto again;
  check(i == 33);
  return 0;
}
