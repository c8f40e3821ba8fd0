// Two allocations differ
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
extern void *malloc(unsigned);
extern void free(void *);
int main(void) { int *p = malloc(4), *q = malloc(4); *p = 1; *q = 2; check(*p == 1 && p != q); free(p); free(q); return 0; }
