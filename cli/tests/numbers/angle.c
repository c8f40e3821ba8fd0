// An angle in degrees, wrapped. Bug: once is not enough.
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
static float wrap(float x)
{
#ifdef BUG
    if (x > 180)
        x -= 360;
#else
    while (x > 180)
        x -= 360;
#endif
    while (x < -180)
        x += 360;
    return x;
}
int main(void)
{
    float x = __VERIFIER_nondet_float();
    if (!(x >= -720 && x <= 720))
        return 0;
    x = wrap(x);
    assert(x >= -180 && x <= 180);
    return 0;
}
