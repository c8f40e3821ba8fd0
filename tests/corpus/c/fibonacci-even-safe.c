// Every third Fibonacci number is even
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned a = 0, b = 1, i = 0;
  while (i < 12) { unsigned t = a + b; a = b; b = t; i++; if (i % 3 == 0) check(a % 2 == 0); }
  return 0;
}
