/* Memory runs out: the bug does not look. */
#include <stdlib.h>

int main(void)
{
    int *number = malloc(sizeof *number);
#ifndef BUG
    if (!number)
        return 1;
#endif
    *number = 1;
    free(number);
    return 0;
}
