// The largest of three numbers, some of which may be none. Bug: NaN wins by being compared.
#include <assert.h>
#include <math.h>
extern float __VERIFIER_nondet_float(void);
// The first one is a number.
static float larger(float a, float b)
{
#ifdef BUG
    return a > b ? a : b;
#else
    return isnan(b) || a > b ? a : b;
#endif
}
int main(void)
{
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    float m = larger(larger(1, a), b);
    assert(m >= 1);
    return 0;
}
