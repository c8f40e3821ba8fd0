// The absolute value. Bug: that of a negative zero.
#include <assert.h>
#include <math.h>
extern double __VERIFIER_nondet_double(void);
static double absolute(double x)
{
#ifdef BUG
    return x < 0 ? -x : x;
#else
    return fabs(x);
#endif
}
int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!isnan(x))
        assert(!signbit(absolute(x)));
    return 0;
}
