// Twice as much each time.
int nondet(void);
int main(void) {
  int n = nondet(), x = 1;
  if (n > 1000000000) return 0;
  while (x < n) x = 2 * x;
  return 0;
}
