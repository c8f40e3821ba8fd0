// One variable drives another after half of the loop
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int x = 0, y = 50;
  while (x < 100) { x++; if (x > 50) y++; }
  check(y == 100);
  return 0;
}
