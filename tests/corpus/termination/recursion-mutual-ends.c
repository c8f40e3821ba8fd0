// Two functions that call each other, one of them with the same number.
extern unsigned __VERIFIER_nondet_uint(void);

static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n); }
static int odd(unsigned n) { return n == 0 ? 0 : !even(n - 1) ? 0 : 1; }

int main(void) { return even(__VERIFIER_nondet_uint()); }
