// Real roots of a quadratic equation. Bug: no look at the discriminant.
#include <assert.h>
#include <math.h>
extern float __VERIFIER_nondet_float(void);
static int roots(float b, float c, float *x)
{
    float d = b * b - 4 * c;
#ifndef BUG
    if (d < 0)
        return 0;
#endif
    *x = (-b + sqrtf(d)) / 2;
    return 1;
}
int main(void)
{
    float b = __VERIFIER_nondet_float(), c = __VERIFIER_nondet_float(), x;
    if (b >= -100 && b <= 100 && c >= -100 && c <= 100 && roots(b, c, &x))
        assert(!isnan(x));
    return 0;
}
