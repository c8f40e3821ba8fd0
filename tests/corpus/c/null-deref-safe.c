// A null pointer
// verdict(valid-deref): true
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int x = 0, *p = __VERIFIER_nondet_bool() ? &x : 0;
  if (p)
    *p = 1;
  return x;
}
