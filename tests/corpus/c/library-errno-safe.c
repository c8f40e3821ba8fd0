// The error code stays until a call may set it
// verdict(unreach-call): true
extern int *__errno_location(void);
int main(void) {
  *__errno_location() = 7;
  int *p = malloc(sizeof *p);
  assert(*__errno_location() == 7 || !p);
  return 0;
}
