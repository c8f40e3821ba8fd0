/* A name of three letters: the bug leaves no room for its end. */
#include <stdio.h>

int main(void)
{
#ifdef BUG
    char name[3];
#else
    char name[4];
    name[3] = 0;
#endif
    name[0] = 'a';
    name[1] = 'b';
    name[2] = 'c';
    puts(name);
    return 0;
}
