// A block of any content
// verdict(unreach-call): false
extern void reach_error(void);
extern void __VERIFIER_nondet_memory(void *, unsigned);
int main(void) {
  struct { short a; int b; } s = {1, 2};
  __VERIFIER_nondet_memory(&s, sizeof s);
  if (s.a == 7 && s.b == 9) reach_error();
  return 0;
}
