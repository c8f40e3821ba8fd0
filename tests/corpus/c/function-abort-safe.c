// A path ends with abort
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
extern void abort(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x > 10) abort(); check(x <= 10 ); return 0; }
