// An int through a pointer to char
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) { int x = 0x11223344; unsigned char *p = (unsigned char *)&x; check(p[1] == 0x33); return 0; }
