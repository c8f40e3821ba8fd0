// What falls does so only by what the inner call returns.
extern int __VERIFIER_nondet_int(void);

static int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); }

int main(void) { return f(__VERIFIER_nondet_int()) == 0; }
