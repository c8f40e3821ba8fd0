// Negating the least number
// verdict(no-overflow): true
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == -2147483647 - 1) x = 0;
  return -x > 0;
}
