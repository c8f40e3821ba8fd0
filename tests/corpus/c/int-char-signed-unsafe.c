// Plain char is signed
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) { char c = 255; check(c == 255); return 0; }
