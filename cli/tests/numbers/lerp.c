// Between two numbers. Bug: the form that does not end where it should.
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
static float lerp(float a, float b, float t)
{
#ifdef BUG
    return a + t * (b - a);
#else
    return (1 - t) * a + t * b;
#endif
}
int main(void)
{
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    if (a >= 0 && a <= 1000 && b >= 0 && b <= 1000)
        assert(lerp(a, b, 1) == b);
    return 0;
}
