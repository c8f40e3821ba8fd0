// Members of array elements
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
struct point { int x; short y; };
int main(void) {
  struct point p[4];
  for (int i = 0; i < 4; i++) { p[i].x = i; p[i].y = -i; }
  int s = 0;
  for (int i = 0; i < 4; i++) s += p[i].x + p[i].y;
  check(s == 0);
  return 0;
}
