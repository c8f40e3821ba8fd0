// calloc gives zeros
// verdict(unreach-call): true
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
extern void *calloc(unsigned, unsigned);
extern void free(void *);
int main(void) { int *p = calloc(4, sizeof *p); check(p[__VERIFIER_nondet_uint() % 4] == 0); free(p); return 0; }
