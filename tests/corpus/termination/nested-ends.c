// An inner loop that begins anew each time.
int nondet(void);
int main(void) {
  int n = nondet();
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {}
  return 0;
}
