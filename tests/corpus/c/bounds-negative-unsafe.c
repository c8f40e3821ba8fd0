// An index before the start
// verdict(valid-deref): false at 5:21
int main(void) {
  int a[4] = {0}, i = 3;
  while (i >= -1 && a[i] == 0) i--;
  return 0;
}
