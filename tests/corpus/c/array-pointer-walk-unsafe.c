// A pointer walks over an array
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int a[6] = {3, 1, 4, 1, 5, 9}, s = 0;
  for (int *p = a; p != a + 6; p++) s += *p;
  check(s == 22);
  return 0;
}
