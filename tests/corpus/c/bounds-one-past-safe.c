// The address of the element past the end is not used
// verdict(valid-deref): true
int main(void) {
  int a[4];
  int *end = &a[4];
  for (int *p = a; p != end; p++) *p = 1;
  return a[3] - 1;
}
