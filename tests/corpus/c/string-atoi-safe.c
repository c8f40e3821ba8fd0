// Reading a number
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static int number(const char *s) { int n = 0; while (*s >= '0' && *s <= '9') n = 10 * n + (*s++ - '0'); return n; }
int main(void) { check(number("407x") == 407); return 0; }
