// calloc gives zeros
// verdict(unreach-call): false
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
extern void *calloc(unsigned, unsigned);
extern void free(void *);
int main(void) { int *p = calloc(4, sizeof *p); check(p[__VERIFIER_nondet_uint() % 4] == 1); free(p); return 0; }
