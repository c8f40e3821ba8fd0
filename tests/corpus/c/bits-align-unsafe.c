// Rounding up to a multiple of eight
// verdict(unreach-call): false
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  __VERIFIER_assume(x < 0xffffffffu);
  unsigned y = (x + 7) & ~7u;
  check(y >= x && y % 8 == 0);
  return 0;
}
