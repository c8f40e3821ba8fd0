// Two pointers to one object
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) { int x = 1, *p = &x, *q = p; *q = 5; check(*p == 5); return 0; }
