// An index before the start
// verdict(valid-deref): true
int main(void) {
  int a[4] = {0}, i = 3;
  while (i >= 0 && a[i] == 0) i--;
  return 0;
}
