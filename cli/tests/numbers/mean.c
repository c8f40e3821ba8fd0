// The mean of what was read. Bug: nothing was.
#include <assert.h>
#include <math.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), sum = 0;
    if (n > 3)
        return 0;
    for (unsigned i = 0; i < n; i++)
        sum += __VERIFIER_nondet_ushort();
#ifndef BUG
    if (n == 0)
        return 0;
#endif
    double mean = (double)sum / n;
    assert(mean >= 0 && mean <= 65535);
    return 0;
}
