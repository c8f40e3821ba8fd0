// A pointer out of an inner block
// verdict(valid-deref): false at 7:10
int main(void) {
  int *p, y = 1;
  p = &y;
  { int x = 2; p = &x; y += x; }
  return *p;
}
