// The bytes of a number, lowest first
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
union u { unsigned w; unsigned char b[4]; };
int main(void) {
  union u u; u.w = 0x01020304;
  check(u.b[0] == 4 && u.b[3] == 5 - u.b[0]);
  return 0;
}
