// Bit-fields keep their width and sign
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
struct f { unsigned a : 3; int b : 4; unsigned c : 1; };
int main(void) {
  struct f s;
  s.a = 9; s.b = 15; s.c = 3;
  check(s.a == 1 && s.b == 15 && s.c == 1);
  return 0;
}
