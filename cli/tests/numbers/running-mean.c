// A mean that is kept up to date. Bug: the first sample is number zero.
#include <assert.h>
#include <math.h>
extern float __VERIFIER_nondet_float(void);
int main(void)
{
    float mean = 0;
#ifdef BUG
    int n = 0;
#else
    int n = 1;
#endif
    for (int i = 0; i < 2; i++, n++) {
        float x = __VERIFIER_nondet_float();
        if (!(x >= 0 && x <= 100))
            return 0;
        mean += (x - mean) / n;
    }
    assert(isfinite(mean));
    return 0;
}
