// A shift by a negative amount
// verdict(shift-range): true
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int k = __VERIFIER_nondet_int();
  if (k > 31 || k < 0) return 0;
  return 4096 >> k;
}
