// A shift by a negative amount
// verdict(shift-range): false at 7:10
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int k = __VERIFIER_nondet_int();
  if (k > 31 ) return 0;
  return 4096 >> k;
}
