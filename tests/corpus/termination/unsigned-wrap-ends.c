// Wraps around once.
unsigned char nondet(void);
int main(void) {
  unsigned char i = nondet();
  do i++;
  while (i != 0);
  return 0;
}
