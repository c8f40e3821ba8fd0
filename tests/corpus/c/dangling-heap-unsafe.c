// Use after free
// verdict(valid-deref): false at 10:10
extern void *malloc(unsigned);
extern void free(void *);
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  
  free(p);
  return *p;
}
