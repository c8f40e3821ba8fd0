/* A node is unlinked: the bug reads it after it is gone. */
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *first = malloc(sizeof *first);
    if (!first)
        return 1;
    first->next = 0;
    first->value = 3;
    int value = first->value;
    free(first);
#ifdef BUG
    value = first->value;
#endif
    return value;
}
