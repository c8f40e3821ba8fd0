// A pointer as an integer and back
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) { int x = 3; unsigned long u = (unsigned long)&x; int *p = (int *)u; *p = 4; check(x == 4); return 0; }
