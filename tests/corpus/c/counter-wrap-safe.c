// Unsigned wrap-around
// verdict(unreach-call): true
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned char c = __VERIFIER_nondet_uint();
  unsigned char d = c + 1;
  if (c != 255) check(d > c);
  return 0;
}
