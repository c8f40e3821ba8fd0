// Counts by tenths. Bug: one is a tenth of its own.
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
int main(void)
{
    unsigned count[10] = {0};
    for (int i = 0; i < 3; i++) {
        float x = __VERIFIER_nondet_float();
        if (!(x >= 0 && x <= 1))
            continue;
        int slot = (int)(x * 10);
#ifndef BUG
        if (slot > 9)
            slot = 9;
#endif
        count[slot]++;
    }
    assert(count[0] <= 3);
    return 0;
}
