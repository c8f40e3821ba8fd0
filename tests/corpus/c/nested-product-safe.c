// Nested loops count a product
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int n = 4, m = 5, k = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) k++;
  check(k == 20);
  return 0;
}
