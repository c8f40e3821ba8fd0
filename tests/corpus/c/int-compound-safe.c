// Compound assignments convert
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned char c = 250; c += 10; c <<= 1; c ^= 0xf;
  check(c == 7);
  return 0;
}
