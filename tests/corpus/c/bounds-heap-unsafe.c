// A block on the heap
// verdict(valid-deref): false at 10:5
extern unsigned __VERIFIER_nondet_uint(void);
extern void *malloc(unsigned);
extern void free(void *);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 4 + 1;
  char *p = malloc(n);
  for (unsigned i = 0; i <= n; i++)
    p[i] = 0;
  free(p);
  return 0;
}
