// An object whose address a global integer keeps
// verdict(valid-memtrack): true
extern void *malloc(unsigned int);
static struct { char tag; unsigned long key; } kept;
int main(void) {
  int *p = malloc(4);
  *p = 1;
  kept.key = (unsigned long)p;
  return 0;
}
