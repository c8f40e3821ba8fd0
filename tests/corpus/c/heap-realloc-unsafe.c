// realloc keeps the content
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
extern void *malloc(unsigned);
extern void *realloc(void *, unsigned);
extern void free(void *);
int main(void) { int *p = malloc(8); p[0] = 1; p[1] = 2; p = realloc(p, 16); p[2] = 3; check(p[0] + p[1] + p[2] == 5); free(p); return 0; }
