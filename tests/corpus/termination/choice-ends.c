// Either component may fall, and with the first the second may be anything.
int nondet(void);
int main(void) {
  int x = nondet(), y = nondet();
  while (x > 0 && y > 0)
    if (nondet()) {
      x = x - 1;
      y = nondet();
    } else {
      y = y - 1;
    }
  return 0;
}
