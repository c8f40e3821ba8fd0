// Distances count elements
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) { int a[10], *p = a + 2, *q = &a[9]; check(q - p == 28); return 0; }
