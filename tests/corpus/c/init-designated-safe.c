// Designated initialisers
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int a[6] = { [4] = 9, 8, [1] = 2, 3 };
  check(a[0] == 0 && a[1] == 2 && a[2] == 3 && a[4] == 9 && a[5] == 8);
  return 0;
}
