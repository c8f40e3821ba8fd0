// Small types are promoted
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  unsigned char a = 200, b = 100;
  check(a + b == 300 && (unsigned char)(a + b) == 44);
  return 0;
}
