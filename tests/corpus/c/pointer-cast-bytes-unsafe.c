// An int through a pointer to char
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) { int x = 0x11223344; unsigned char *p = (unsigned char *)&x; check(p[1] == 0x22); return 0; }
