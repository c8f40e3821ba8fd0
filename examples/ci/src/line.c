#include "line.h"

void line_clear(struct line *line)
{
    line->used = 0;
    line->text[0] = 0;
}

int line_put(struct line *line, char c)
{
    if (line->used >= LINE_MAX - 1)
        return 0;
    line->text[line->used++] = c;
    line->text[line->used] = 0;
    return 1;
}

char line_take(struct line *line)
{
    char c;

    if (line->used == 0)
        return 0;
    c = line->text[--line->used];
    line->text[line->used] = 0;
    return c;
}
