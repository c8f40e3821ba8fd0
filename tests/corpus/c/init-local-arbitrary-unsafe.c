// Automatic objects start arbitrary
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) { int x ; check(x == 3); return 0; }
