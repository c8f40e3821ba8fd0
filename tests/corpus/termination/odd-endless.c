// Aperiodic for practical purposes: odd numbers never are zero.
unsigned nondet(void);
int main(void) {
  unsigned x = nondet();
  while (x != 0) x -= 2;
  return 0;
}
