// A call that may fail leaves any error code behind
// verdict(unreach-call): false
extern int *__errno_location(void);
extern int close(int);
int main(void) {
  *__errno_location() = 0;
  close(3);
  assert(*__errno_location() == 0);
  return 0;
}
