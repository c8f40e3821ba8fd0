// Row-major order of two dimensions
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int m[3][4];
  for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) m[i][j] = 10 * i + j;
  int *p = &m[0][0];
  check(p[7] == 13);
  return 0;
}
