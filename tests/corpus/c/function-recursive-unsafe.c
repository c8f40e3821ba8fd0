// The factorial by recursion
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static unsigned fact(unsigned n) { return n == 0 ? 1 : n * fact(n - 1); }
int main(void) { check(fact(5) == 121); return 0; }
