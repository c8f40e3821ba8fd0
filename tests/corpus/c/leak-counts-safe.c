// An object whose address a global integer keeps, beside more integers than can be asked for, which keep none
// verdict(valid-memtrack): true
extern void *malloc(unsigned int);
static unsigned long counts[100];
static unsigned long kept;
int main(void) {
  int *p = malloc(4);
  *p = 1;
  kept = (unsigned long)p;
  counts[*p] = 7;
  return 0;
}
