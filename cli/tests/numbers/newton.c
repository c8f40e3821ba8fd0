// Newton's square root. Bug: it starts at zero.
#include <assert.h>
#include <math.h>
extern float __VERIFIER_nondet_float(void);
static float root(float a)
{
#ifdef BUG
    float x = 0;
#else
    float x = 1;
#endif
    for (int i = 0; i < 2; i++)
        x = (x + a / x) / 2;
    return x;
}
int main(void)
{
    float a = __VERIFIER_nondet_float();
    if (a >= 1 && a <= 4)
        assert(isfinite(root(a)));
    return 0;
}
