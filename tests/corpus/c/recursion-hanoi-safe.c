// The towers of Hanoi take 2^n - 1 moves
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static unsigned moves;
static void hanoi(unsigned n) {
  if (n == 0) return;
  hanoi(n - 1);
  moves = moves + 1;
  hanoi(n - 1);
}
int main(void) {
  unsigned n = (unsigned)__VERIFIER_nondet_int();
  if (n > 31) return 0;
  moves = 0;
  hanoi(n);
  check(moves == (1u << n) - 1);
  return 0;
}
