/* Tokens of any text lie inside of it, and there are no more than there is room for. */
#include "any.h"
#include "jsmn.h"

int main(void)
{
    char text[4];
    jsmntok_t tokens[3];
    unsigned n = any_up_to(sizeof text);
    any_bytes(text, n);
    jsmn_parser parser;
    jsmn_init(&parser);
    int count = jsmn_parse(&parser, text, n, tokens, 3);
    assert(count <= 3);
    for (int i = 0; i < count; i++)
        assert(0 <= tokens[i].start && tokens[i].start <= tokens[i].end && tokens[i].end <= (int)n);
    return 0;
}
