/* Reads the clock of the processor, which C has no words for: unknown. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned ticks(void)
{
    unsigned low;
    __asm__ volatile("rdtsc" : "=a"(low) : : "edx");
    return low;
}

int main(void)
{
    unsigned limit = __VERIFIER_nondet_uint() % 100, waited = 0;
    while (waited < limit)
        waited++;
    assert(waited == limit);
    assert(ticks() % 8 < 8);
    return 0;
}
