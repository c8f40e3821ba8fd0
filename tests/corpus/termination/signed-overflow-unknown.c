// It ends only because a number overflows, of which C promises nothing.
int nondet(void);
int main(void) {
  int x = nondet();
  while (x > 0) x++;
  return 0;
}
