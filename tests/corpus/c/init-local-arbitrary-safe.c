// Automatic objects start arbitrary
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) { int x = 3; check(x == 3); return 0; }
