// A pointer out of an inner block
// verdict(valid-deref): true
int main(void) {
  int *p, y = 1;
  p = &y;
  { int x = 2; p = &y; x++; y += x; }
  return *p;
}
