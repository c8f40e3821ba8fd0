// Structs are copied
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
struct p { int x, y; };
static struct p swap(struct p a) { int t = a.x; a.x = a.y; a.y = t; return a; }
int main(void) {
  struct p a = {1, 2}, b = swap(a);
  check(a.x == 1 && b.x == 2);
  return 0;
}
