// Half as much each time.
unsigned nondet(void);
int main(void) {
  unsigned x = nondet();
  while (x > 0) x = x / 2;
  return 0;
}
