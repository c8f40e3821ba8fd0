/* A file is read and closed: the bug closes it twice. */
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("data", "r");
    if (!file)
        return 1;
    int first = fgetc(file);
    fclose(file);
#ifdef BUG
    fclose(file);
#endif
    return first == 'x';
}
