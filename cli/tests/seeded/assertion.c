/* A larger of two numbers: the bug takes the smaller. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int larger(int a, int b)
{
#ifdef BUG
    return a < b ? a : b;
#else
    return a < b ? b : a;
#endif
}

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    int c = larger(a, b);
    assert(c >= a && c >= b);
    return 0;
}
