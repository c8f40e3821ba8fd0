// A definition in the old style
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int scale(a, b) int a; short b; { return a * b; }
int main(void) { check(scale(6, 7) == 41); return 0; }
