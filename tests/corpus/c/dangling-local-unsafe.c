// A pointer to a local that is gone
// verdict(valid-deref): false at 7:14
static int *keep;
static int f(void) { int x = 3; keep = &x; return x; }
int main(void) {
  int r = f();
  return r + *keep;
}
