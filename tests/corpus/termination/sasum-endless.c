// A sum over every incx-th element: an increment of zero goes nowhere.
int nondet(void);
int main(void) {
  int n = nondet(), incx = nondet();
  float sum = 0;
  float x[4] = {1, 2, 3, 4};
  if (n > 4 || incx < 0 || incx > 3) return 0;
  for (int i = 0; i < n; i += incx) sum += x[i];
  return sum > 0;
}
