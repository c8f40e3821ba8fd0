// A block that nobody frees
// verdict(valid-memtrack): true
extern void *malloc(unsigned);
extern void free(void *);
int main(void) {
  int *p = malloc(4);
  *p = 1;
  free(p);
  return 0;
}
