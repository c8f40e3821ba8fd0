// A negative number as unsigned
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int i = -1; unsigned u = 1;
  check((i < u) == 0);
  return 0;
}
