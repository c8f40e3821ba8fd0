// x grows while y is positive, and y never falls.
int nondet(void);
int main(void) {
  int x = nondet(), y = nondet();
  if (x < 0 || x > 100) return 0;
  while (x >= 0 && y > 0) x = x < 100 ? x + 1 : 0;
  return 0;
}
