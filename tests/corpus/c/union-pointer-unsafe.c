// A pointer read as a number from a union leads to its object
// verdict(unreach-call): false
extern void reach_error(void);
int main(void) {
  int x = 0;
  union { int *p; unsigned long n; } u;
  u.p = &x;
  *(int *)u.n = 5;
  if (x == 5) reach_error();
  return 0;
}
