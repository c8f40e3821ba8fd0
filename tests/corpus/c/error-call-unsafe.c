// The error call by its place
// verdict(unreach-call): false at 8:5
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 12345 )
    reach_error();
  return 0;
}
