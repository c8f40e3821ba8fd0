// A call through a table of functions
// verdict(unreach-call): false
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*const op[2])(int, int) = { add, sub };
int main(void) {
  int k = __VERIFIER_nondet_bool();
  check(op[k](7, 3) == (k ? 3 : 10));
  return 0;
}
