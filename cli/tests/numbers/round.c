// To the nearest integer. Bug: truncation rounds negative numbers the wrong way.
#include <assert.h>
#include <math.h>
extern float __VERIFIER_nondet_float(void);
static int nearest(float x)
{
#ifdef BUG
    return (int)(x + 0.5f);
#else
    return (int)floorf(x + 0.5f);
#endif
}
int main(void)
{
    float x = __VERIFIER_nondet_float();
    if (x >= -1000 && x <= 1000)
        assert(fabsf(nearest(x) - x) <= 0.5f);
    return 0;
}
