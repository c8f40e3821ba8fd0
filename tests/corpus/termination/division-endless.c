// Division by subtraction, by nothing.
unsigned nondet(void);
int main(void) {
  unsigned n = nondet(), by = nondet();
  while (n >= by) n -= by;
  return 0;
}
