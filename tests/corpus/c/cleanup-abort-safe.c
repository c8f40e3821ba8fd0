// Everything is freed before the program aborts
// verdict(valid-memcleanup): true
extern void *malloc(unsigned);
extern void free(void *);
extern void abort(void);
int main(void) {
  int *p = malloc(4);
  int v = *p;
  free(p);
  if (v > 7) abort();
  return 0;
}
