// A block that is still there when the program aborts
// verdict(valid-memcleanup): false at 8:15
extern void *malloc(unsigned);
extern void free(void *);
extern void abort(void); extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *p = malloc(4); *p = __VERIFIER_nondet_int();
  if (*p > 7) abort();
  free(p);
  return 0;
}
