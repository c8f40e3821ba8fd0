// A loop left by break
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int i = 0;
  for (;;) { if (i >= 10) break; i += 2; }
  check(i == 10);
  return 0;
}
