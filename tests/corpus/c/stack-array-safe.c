// Last in, first out
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static int data[4], top;
static void push(int v) { if (top < 4) data[top++] = v; }
static int pop(void) { return top > 0 ? data[--top] : -1; }
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  push(x); push(y);
  check(pop() == y);
  return 0;
}
