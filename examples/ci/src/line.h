/* Lines of text in a buffer of fixed size. */
#ifndef LINE_H
#define LINE_H

#include <stddef.h>

#define LINE_MAX 16

struct line {
    char text[LINE_MAX];
    size_t used;
};

void line_clear(struct line *line);
/* Appends a character; 0 if there is no room. */
int line_put(struct line *line, char c);
/* The last character, which is taken away; 0 if there is none. */
char line_take(struct line *line);

#endif
