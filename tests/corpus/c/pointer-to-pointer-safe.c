// Two levels
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) { int a = 1, b = 2, *p = &a, **pp = &p; *pp = &b; check(*p == 2); return 0; }
