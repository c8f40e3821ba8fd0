// Freeing twice
// verdict(valid-free): false at 9:3
extern void *malloc(unsigned);
extern void free(void *);
int main(void) {
  int *p = malloc(4);
  free(p);
  
  free(p);
  return 0;
}
