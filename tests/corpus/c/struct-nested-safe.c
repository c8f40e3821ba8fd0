// Structs in structs
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
struct in { int a; char b; };
struct out { struct in i[2]; int c; };
int main(void) {
  struct out o = { .i[1].a = 5, .c = 7 }, q = o;
  q.i[1].a++;
  check(o.i[1].a == 5 && q.i[1].a == 6 && q.i[0].b == 0);
  return 0;
}
