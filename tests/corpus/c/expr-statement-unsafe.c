// A statement expression
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) { int y = ({ int t = 4; t * t; }); check(y == 15); return 0; }
