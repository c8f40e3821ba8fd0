// Freeing the middle of a block
// verdict(valid-free): false at 8:3
extern void *malloc(unsigned);
extern void free(void *);
int main(void) {
  char *p = malloc(8);
  p[0] = 0; p++;
  free(p);
  return 0;
}
