// A counter that is not bounded
// verdict(no-overflow): true
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0) return 0;
  while (i < 0x7fffffff)
    i++;
  return 0;
}
