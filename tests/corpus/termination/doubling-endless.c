// Twice nothing is nothing.
unsigned nondet(void);
int main(void) {
  unsigned n = nondet(), x = nondet();
  while (x < n) x = 2 * x;
  return 0;
}
