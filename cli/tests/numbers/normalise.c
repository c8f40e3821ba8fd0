// A vector of length one. Bug: the one of length zero.
#include <assert.h>
#include <math.h>
extern float __VERIFIER_nondet_float(void);
static float normalised(float x, float y)
{
    float length = sqrtf(x * x + y * y);
#ifndef BUG
    if (length == 0)
        return 0;
#endif
    return x / length;
}
int main(void)
{
    float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
    if (x >= -1000 && x <= 1000 && y >= -1000 && y <= 1000)
        assert(!isnan(normalised(x, y)));
    return 0;
}
