// An object that a global integer kept for a while, beside more integers than can be asked for, which keep none
// verdict(valid-memtrack): false at 6:5
extern void *malloc(unsigned int);
static unsigned long counts[100];
static unsigned long kept;
int main(void) {
  int *p = malloc(4);
  *p = 1;
  kept = (unsigned long)p;
  counts[*p] = 7;
  kept = 0;
  return 0;
}
