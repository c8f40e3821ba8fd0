// Each call is of a smaller number.
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned sum(unsigned n) { return n == 0 ? 0 : n + sum(n - 1); }

int main(void) { return (int)(sum(__VERIFIER_nondet_uint()) & 1); }
