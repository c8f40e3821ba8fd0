// Enumerators count on
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
enum e { A = 3, B, C = B * 2, D };
int main(void) { check(B == 4 && C == 8 && D == 9); return 0; }
