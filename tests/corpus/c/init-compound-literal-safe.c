// Compound literals
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
struct p { int x, y; };
static int sum(struct p p) { return p.x + p.y; }
int main(void) {
  int *a = (int[]){1, 2, 3};
  check(sum((struct p){4, 5}) + a[2] == 12);
  return 0;
}
