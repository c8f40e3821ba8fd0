// Assumptions and assertions as CBMC spells them
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void __CPROVER_assume(int);
extern void __CPROVER_assert(int, const char *);
int main(void) {
  int x = __VERIFIER_nondet_int();
  __CPROVER_assume(x >= 0 && x < 10);
  __CPROVER_assert(x * x < 82, "squares are small");
  return 0;
}
