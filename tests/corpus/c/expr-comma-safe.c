// The comma operator
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) { int a = 1, b = (a++, a * 10); check(b == 20); return 0; }
