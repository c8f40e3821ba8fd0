// Negating the least number
// verdict(no-overflow): false at 7:7
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();

  x = -x;
  return x > 0;
}
