// A block that is still there when the program aborts
// verdict(valid-memcleanup): false at 8:15
extern void *malloc(unsigned);
extern void free(void *);
extern void abort(void);
int main(void) {
  int *p = malloc(4);
  if (*p > 7) abort();
  free(p);
  return 0;
}
