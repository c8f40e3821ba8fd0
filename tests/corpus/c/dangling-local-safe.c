// A pointer to a local that is gone
// verdict(valid-deref): true
static int *keep;
static int f(void) { int x = 3; keep = &x; return *keep; }
int main(void) {
  int r = f();
  return r + 0;
}
