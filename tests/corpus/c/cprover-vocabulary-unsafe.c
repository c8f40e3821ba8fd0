// Assumptions and assertions as CBMC spells them
// verdict(unreach-call): false at 9:3
extern int __VERIFIER_nondet_int(void);
extern void __CPROVER_assume(int);
extern void __CPROVER_assert(int, const char *);
int main(void) {
  int x = __VERIFIER_nondet_int();
  __CPROVER_assume(x >= 0 && x < 10);
  __CPROVER_assert(x * x < 81, "squares are small");
  return 0;
}
