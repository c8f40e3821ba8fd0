// A block that nobody frees
// verdict(valid-memtrack): false at 6:5
extern _Bool __VERIFIER_nondet_bool(void);
extern void *malloc(unsigned);
extern void free(void *);
int main(void) {
  int *p = malloc(4);
  *p = 1;
  if (__VERIFIER_nondet_bool()) free(p);
  return 0;
}
