// Freeing twice
// verdict(valid-free): true
extern void *malloc(unsigned);
extern void free(void *);
int main(void) {
  int *p = malloc(4);
  free(p);
  p = 0;
  free(p);
  return 0;
}
