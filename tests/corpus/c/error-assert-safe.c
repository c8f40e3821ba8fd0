// A failed assertion of assert.h as it is preprocessed
// verdict(unreach-call): true
extern unsigned __VERIFIER_nondet_uint(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint() % 10;
  ((x < 10) ? (void)0 : __assert_fail("x < 9", "a.c", 6, "main"));
  return 0;
}
