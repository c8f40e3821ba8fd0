// Halfway between two numbers. Bug: their sum is too large.
#include <assert.h>
#include <math.h>
extern float __VERIFIER_nondet_float(void);
static float middle(float a, float b)
{
#ifdef BUG
    return (a + b) / 2;
#else
    return a / 2 + b / 2;
#endif
}
int main(void)
{
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    if (isfinite(a) && isfinite(b))
        assert(isfinite(middle(a, b)));
    return 0;
}
