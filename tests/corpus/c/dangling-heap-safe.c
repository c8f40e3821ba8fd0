// Use after free
// verdict(valid-deref): true
extern void *malloc(unsigned);
extern void free(void *);
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  int v = *p;
  free(p);
  return v;
}
