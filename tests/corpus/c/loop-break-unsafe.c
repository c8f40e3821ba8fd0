// A loop left by break
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int i = 0;
  for (;;) { if (i >= 10) break; i += 3; }
  check(i == 10);
  return 0;
}
