// A null pointer
// verdict(valid-deref): false at 7:5
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int x = 0, *p = __VERIFIER_nondet_bool() ? &x : 0;
  
    *p = 1;
  return x;
}
