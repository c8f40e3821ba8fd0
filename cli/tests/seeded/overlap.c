/* Removes the first characters of a line: the bug copies a block onto itself. */
#include <string.h>

int main(void)
{
    char line[8] = "  words";
    size_t rest = strlen(line + 2) + 1;
#ifdef BUG
    memcpy(line, line + 2, rest);
#else
    memmove(line, line + 2, rest);
#endif
    return line[0] != 'w';
}
