// Division by zero
// verdict(div-by-zero): false at 7:10
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  
  return 100u / (unsigned)x > 3;
}
