// A function fills a struct through a pointer
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
struct r { int q, m; };
static void divide(int a, int b, struct r *out) { out->q = a / b; out->m = a % b; }
int main(void) {
  struct r r;
  divide(17, 5, &r);
  check(r.q == 3 && r.m == 2);
  return 0;
}
