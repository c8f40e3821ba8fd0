/* A copy is made and given up in one case: the bug forgets to free it there. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *copy = malloc(4);
    if (!copy)
        return 1;
    if (__VERIFIER_nondet_int() < 0) {
#ifndef BUG
        free(copy);
#endif
        return 2;
    }
    free(copy);
    return 0;
}
