// Freeing what was not allocated
// verdict(valid-free): false at 7:3
extern _Bool __VERIFIER_nondet_bool(void);
extern void free(void *);
int main(void) {
  int x, *p = __VERIFIER_nondet_bool() ? &x : 0;
  free(p);
  return 0;
}
