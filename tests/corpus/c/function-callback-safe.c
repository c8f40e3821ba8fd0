// A function is passed to another
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static int twice(int x) { return 2 * x; }
static int fold(int (*f)(int), int n) { int s = 0; for (int i = 0; i < n; i++) s += f(i); return s; }
int main(void) { check(fold(twice, 4) == 12); return 0; }
