/* A word is copied: the bug counts its letters only. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *word = "three";
#ifdef BUG
    char *copy = malloc(strlen(word));
#else
    char *copy = malloc(strlen(word) + 1);
#endif
    if (!copy)
        return 1;
    strcpy(copy, word);
    free(copy);
    return 0;
}
