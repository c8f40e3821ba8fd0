// The 20th number of Fibonacci is 6765
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static unsigned next;
static unsigned pair(unsigned n) {
  unsigned a, b;
  if (n == 0) { next = 1; return 0; }
  a = pair(n - 1);
  b = next;
  next = a + b;
  return b;
}
static unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
int main(void) {
  unsigned p = pair(20), f = fibonacci(20);
  check(p + f != 13530);
  return 0;
}
