/* A block of numbers from the heap: the bug writes one too many. */
#include <stdlib.h>

int main(void)
{
    int *block = malloc(3 * sizeof *block);
    if (!block)
        return 1;
#ifdef BUG
    for (int i = 0; i <= 3; i++)
#else
    for (int i = 0; i < 3; i++)
#endif
        block[i] = i;
    free(block);
    return 0;
}
