// A tagged union
// verdict(unreach-call): true
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
struct v { int tag; union { int i; char c; } u; };
static int value(struct v *v) { return v->tag ? v->u.i : v->u.c; }
int main(void) {
  struct v v; v.tag = __VERIFIER_nondet_bool();
  if (v.tag) v.u.i = 1000; else v.u.c = 'x';
  check(value(&v) == (v.tag ? 1000 : 'x'));
  return 0;
}
