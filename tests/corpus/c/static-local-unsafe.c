// A static local keeps its value
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static int next(void) { static int n = 10; return n++; }
int main(void) { next(); next(); check(next() == 10); return 0; }
