// Three dimensions
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  char c[2][3][4];
  for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) for (int k = 0; k < 4; k++) c[i][j][k] = i + j + k;
  check(c[1][2][3] == 6);
  check(sizeof c == 24);
  return 0;
}
