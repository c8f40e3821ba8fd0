// Comes back after four rounds.
int nondet(void);
int main(void) {
  signed char x = 3, y = 1;
  while (x != 0 || y != 0) {
    signed char old = x;
    x = -y;
    y = old;
  }
  return 0;
}
