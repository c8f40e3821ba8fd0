// A jump into the body of a loop
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int i = 5, n = 0;
  goto inside;
  while (i < 10) {
    n += 100;
inside:
    n++; i++;
  }
  check(n == 405);
  return 0;
}
