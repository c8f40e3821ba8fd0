// One cell on the heap
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
extern void *malloc(unsigned);
extern void free(void *);
int main(void) { int *p = malloc(sizeof *p); *p = 41; ++*p; check(*p == 41); free(p); return 0; }
