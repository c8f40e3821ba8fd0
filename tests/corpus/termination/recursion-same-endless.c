// One argument makes the function call itself with the same ones.
extern int __VERIFIER_nondet_int(void);

static void f(int x, int y) {
  if (x >= -42 && x <= 23) f(2 * y - 2, x + 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1000) f(n, n + 1);
  return 0;
}
