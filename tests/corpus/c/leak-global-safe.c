// An object that a global variable leads to in the end
// verdict(valid-memtrack): true
extern void *malloc(unsigned int);
static int *kept;
int main(void) {
  kept = malloc(4);
  *kept = 1;
  return 0;
}
