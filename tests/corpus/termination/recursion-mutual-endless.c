// The functions pass a number around, and what one takes the other gives back.
extern unsigned __VERIFIER_nondet_uint(void);

static void give(unsigned n);
static void take(unsigned n) {
  if (n > 0) give(n - 1);
}
static void give(unsigned n) {
  if (n < 7) take(n + 1);
}

int main(void) {
  take(__VERIFIER_nondet_uint());
  return 0;
}
