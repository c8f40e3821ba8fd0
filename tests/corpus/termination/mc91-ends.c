// McCarthy's function, with the pending calls counted.
int nondet(void);
int main(void) {
  int n = nondet(), calls = 1;
  if (n < 98 || n > 120) return 0;
  while (calls > 0)
    if (n > 100) {
      n -= 10;
      calls--;
    } else {
      n += 11;
      calls++;
    }
  return n;
}
