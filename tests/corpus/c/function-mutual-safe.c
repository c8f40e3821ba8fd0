// Mutual recursion
// verdict(unreach-call): true
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
int main(void) { unsigned n = __VERIFIER_nondet_uint() % 5; check(even(n) == (n % 2 == 0)); return 0; }
