// A result through a pointer
// verdict(unreach-call): false
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static void add(int *to, int by) { *to += by; }
int main(void) { int x = __VERIFIER_nondet_int() & 0xff, y = x; add(&x, 5); check(x == y + 6); return 0; }
