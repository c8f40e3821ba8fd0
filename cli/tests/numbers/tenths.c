// Ten tenths. Bug: they are not one.
#include <assert.h>
#include <math.h>
int main(void)
{
    float sum = 0;
    for (int i = 0; i < 10; i++)
        sum += 0.1f;
#ifdef BUG
    assert(sum == 1.0f);
#else
    assert(fabsf(sum - 1.0f) < 1e-6f);
#endif
    return 0;
}
