// Nothing happens at the bottom of a deep recursion
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static int sink(int n, int sum) {
  if (n == 0) { check(sum == 10000); return sum; }
  return sink(n - 1, sum + 1);
}
int main(void) { return sink(10000, 0) == 10000 ? 0 : 1; }
