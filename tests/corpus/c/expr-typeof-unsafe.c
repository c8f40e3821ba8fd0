// typeof of an expression
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) { unsigned char c = 255; __typeof__(c) d = c + 1; check(d == 256); return 0; }
