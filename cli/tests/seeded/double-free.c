/* A buffer with two owners: the bug lets both free it. */
#include <stdlib.h>

int main(void)
{
    char *mine = malloc(8);
    char *yours = mine;
    free(mine);
#ifdef BUG
    free(yours);
#else
    (void)yours;
#endif
    return 0;
}
