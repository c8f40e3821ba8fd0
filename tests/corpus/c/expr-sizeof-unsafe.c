// Sizes on ILP32
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
struct s { char c; int i; short h; };
int main(void) {
  check(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(struct s) == 8);
  check(__builtin_offsetof(struct s, h) == 8 && _Alignof(long long) == 8);
  return 0;
}
