// McCarthy's function with the wrong number: what is taken away comes back.
int nondet(void);
int main(void) {
  int n = nondet(), calls = 1;
  if (n < 80 || n > 120) return 0;
  while (calls > 0)
    if (n > 100) {
      n -= 11;
      calls--;
    } else {
      n += 11;
      calls++;
    }
  return n;
}
