// Questions about objects, implication, a quantifier over a range
// verdict(unreach-call): true
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  int a[3] = { 0, 1, 2 };
  unsigned n = __VERIFIER_nondet_uint();
  __CPROVER_assert(n <= 12 ==> __CPROVER_r_ok(a, n), "the array may be read");
  __CPROVER_havoc_slice(a + 1, sizeof(int));
  __CPROVER_assert(a[0] == 0 && a[2] == 2, "the rest stays");
  __CPROVER_assert(__CPROVER_forall { int i; 0 <= i && i < 3 && i != 1 ==> a[i] == i }, "the same");
  return 0;
}
