// A block still held by a global at the end
// verdict(valid-memcleanup): true
extern void *malloc(unsigned);
extern void free(void *);
static int *g;
int main(void) {
  g = malloc(4);
  *g = 2;
  free(g);
  return 0;
}
