// What blocks does not run for ever.
extern void __VERIFIER_assume(int);
int nondet(void);
int main(void) {
  while (1) {
    int x = nondet();
    __VERIFIER_assume(x > 2);
    __VERIFIER_assume(x < 2);
  }
}
