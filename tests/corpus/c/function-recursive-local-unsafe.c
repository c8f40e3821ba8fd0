// Every activation has locals of its own
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static int depth(int n, int *outer) {
  int mine = n;
  if (n > 0) depth(n - 1, &mine);
  if (outer) *outer += 1;
  return mine;
}
int main(void) { check(depth(3, 0) == 3); return 0; }
