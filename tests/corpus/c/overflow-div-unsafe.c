// The least number divided by minus one
// verdict(no-overflow): false at 7:10
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int();
  if (d == 0 ) return 0;
  return x / d;
}
