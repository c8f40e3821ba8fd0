// The error call by its place
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 12345 && x == 1)
    reach_error();
  return 0;
}
