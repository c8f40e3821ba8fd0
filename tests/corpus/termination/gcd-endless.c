// Euclid without a care for zero.
unsigned short nondet(void);
int main(void) {
  unsigned short a = nondet(), b = nondet();
  while (a != b)
    if (a > b)
      a -= b;
    else
      b -= a;
  return a;
}
