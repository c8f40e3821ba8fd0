// A loop in a function that is called from a loop.
int nondet(void);
static int down(int n) {
  while (n > 0) n--;
  return n;
}
int main(void) {
  for (int i = 0; i < 3; i++) down(nondet());
  return 0;
}
