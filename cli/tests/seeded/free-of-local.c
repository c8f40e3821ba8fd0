/* A small buffer is used where it suffices: the bug frees that too. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    char small[8];
    unsigned size = __VERIFIER_nondet_uint() % 16;
    char *buffer = size <= sizeof small ? small : malloc(size);
    if (!buffer)
        return 1;
    buffer[0] = 1;
#ifdef BUG
    free(buffer);
#else
    if (buffer != small)
        free(buffer);
#endif
    return 0;
}
