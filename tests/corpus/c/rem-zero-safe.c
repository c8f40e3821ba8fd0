// Remainder by zero
// verdict(div-by-zero): true
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 8, s = 0;
  for (unsigned i = 0; i < n; i++)
    s += n % (i + 1);
  return s == 3;
}
