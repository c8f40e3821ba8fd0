// Euclid, by subtraction.
unsigned short nondet(void);
int main(void) {
  unsigned short a = nondet(), b = nondet();
  if (a == 0 || b == 0) return 0;
  while (a != b)
    if (a > b)
      a -= b;
    else
      b -= a;
  return a;
}
