// Static objects start at zero
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static int a[3]; static struct { char c; int *p; } s;
int main(void) { check(a[1] == 0 && s.c == 0 && s.p == (int *)a); return 0; }
