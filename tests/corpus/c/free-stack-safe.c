// Freeing what was not allocated
// verdict(valid-free): true
extern _Bool __VERIFIER_nondet_bool(void);
extern void *malloc(unsigned);
extern void free(void *);
int main(void) {
  int x, *p = __VERIFIER_nondet_bool() ? (int *)malloc(4) : 0;
  free(p);
  return 0;
}
