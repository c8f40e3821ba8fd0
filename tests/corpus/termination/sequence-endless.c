// The first loop ends; the second turns back just before its goal.
unsigned nondet(void);
int main(void) {
  unsigned n = nondet(), i = 0;
  if (n > 9) return 0;
  while (i < n) i++;
  while (i != 10) i = i < 9 ? i + 1 : 0;
  return 0;
}
