// The input decides whether anything falls.
int nondet(void);
int main(void) {
  int x = 10;
  while (x > 0)
    if (nondet()) x--;
  return 0;
}
