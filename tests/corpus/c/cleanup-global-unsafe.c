// A block still held by a global at the end
// verdict(valid-memcleanup): false at 5:5
extern void *malloc(unsigned);
static int *g;
int main(void) {
  g = malloc(4);
  *g = 2;
  
  return 0;
}
