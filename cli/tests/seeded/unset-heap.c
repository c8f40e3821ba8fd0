/* Counters on the heap: the bug forgets to clear the last one. */
#include <stdlib.h>

int main(void)
{
    int *count = malloc(3 * sizeof *count);
    if (!count)
        return 1;
#ifdef BUG
    for (int i = 0; i < 2; i++)
#else
    for (int i = 0; i < 3; i++)
#endif
        count[i] = 0;
    int sum = count[0] + count[1] + count[2];
    free(count);
    return sum;
}
