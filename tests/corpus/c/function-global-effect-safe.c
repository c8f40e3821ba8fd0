// A function changes a global
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int g;
static int bump(void) { return ++g; }
int main(void) { int a = bump() * 10 + bump(); check(g == 2 && a == 12); return 0; }
