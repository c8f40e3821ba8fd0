// x may grow, but only while y falls.
int nondet(void);
int main(void) {
  int x = nondet(), y = nondet();
  if (x > 10 || y > 5 || y < -5) return 0;
  while (x > 0) {
    x = x + y;
    y = y - 1;
  }
  return 0;
}
