// Plain char is signed
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) { char c = 255; check(c == -1); return 0; }
