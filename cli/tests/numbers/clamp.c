// A number brought into a range. Bug: NaN is in none and stays.
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
static double clamp(double x, double low, double high)
{
#ifdef BUG
    if (x < low)
        return low;
#else
    if (!(x >= low))
        return low;
#endif
    return x > high ? high : x;
}
int main(void)
{
    double x = clamp(__VERIFIER_nondet_double(), -1, 1);
    assert(x >= -1 && x <= 1);
    return 0;
}
