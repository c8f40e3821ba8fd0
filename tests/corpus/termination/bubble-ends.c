// The two loops of bubble sort, after the bounds alone.
int nondet(void);
int main(void) {
  int a[8];
  int size = 8;
  for (int c = 0; c < size - 1; c++)
    for (int d = 0; d < size - c - 1; d++)
      if (a[d] > a[d + 1]) {
        int t = a[d];
        a[d] = a[d + 1];
        a[d + 1] = t;
      }
  return 0;
}
