// Above zero one number falls, below it the other.
int nondet(void);
int main(void) {
  int x = nondet(), y = nondet();
  while (x != 0 && y > 0)
    if (x > 0) {
      if (nondet()) {
        x--;
        y = nondet();
      } else y--;
    } else {
      if (nondet()) x++;
      else {
        y--;
        x = nondet();
      }
    }
  return 0;
}
