// The inner loop undoes what the outer one counts.
int nondet(void);
int main(void) {
  int n = nondet();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++)
      if (i > 0 && j == 2) i--;
  return 0;
}
