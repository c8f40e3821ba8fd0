// A moving average. Bug: the old value keeps its whole weight.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
    float mean = 0;
    for (int i = 0; i < 3; i++) {
#ifdef BUG
        mean = 0.5f * __VERIFIER_nondet_uchar() + mean;
#else
        mean = 0.5f * __VERIFIER_nondet_uchar() + 0.5f * mean;
#endif
    }
    assert(mean >= 0 && mean <= 255);
    return 0;
}
