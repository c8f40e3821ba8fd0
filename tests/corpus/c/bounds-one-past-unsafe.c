// The element past the end is read
// verdict(valid-deref): false at 6:10
int main(void) {
  int a[4] = {1};
  int *end = &a[4];
  return *end;
}
