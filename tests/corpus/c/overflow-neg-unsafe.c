// Negating the least number
// verdict(no-overflow): false at 7:10
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  
  return -x > 0;
}
