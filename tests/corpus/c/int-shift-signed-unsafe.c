// Shifting a negative number right
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) { int x = -16; check(x >> 2 == 4 && (unsigned)x >> 28 == 15); return 0; }
