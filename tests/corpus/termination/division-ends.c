// Digits of a number, and the remainder of its division by subtraction.
unsigned nondet(void);
int main(void) {
  unsigned n = nondet(), by = nondet(), digits = 0;
  if (by == 0) return 0;
  for (unsigned m = n; m != 0; m /= 10) digits = digits < 20 ? digits + 1 : digits;
  while (n >= by) n -= by;
  return digits > n;
}
