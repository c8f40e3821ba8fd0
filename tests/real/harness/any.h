/* What harnesses share: bounded input of any content. */
#include <assert.h>
#include <stddef.h>

unsigned char __VERIFIER_nondet_uchar(void);
unsigned int __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

/* Any number from 0 to `most`. */
static unsigned any_up_to(unsigned most)
{
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n <= most);
    return n;
}

/* `n` bytes of any content. */
static void any_bytes(void *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)to)[i] = __VERIFIER_nondet_uchar();
}
