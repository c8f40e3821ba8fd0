// An object whose address a global integer kept, until something was added to it
// verdict(valid-memtrack): false at 5:5
extern void *malloc(unsigned int);
static unsigned long key;
int main(void) {
  int *p = malloc(4);
  key = (unsigned long)p;
  key &= 0xff;
  return 0;
}
