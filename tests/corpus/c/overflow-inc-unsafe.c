// A counter that is not bounded
// verdict(no-overflow): false at 8:5
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0) return 0;
  while (i >= 0)
    i++;
  return 0;
}
