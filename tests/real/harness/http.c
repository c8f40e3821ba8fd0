/* The parser never says that it read more than there was. */
#include "any.h"
#include "http_parser.h"

static size_t seen;

static int on_data(http_parser *parser, const char *at, size_t length)
{
    (void)parser;
    (void)at;
    seen += length;
    return 0;
}

int main(void)
{
    char text[3];
    unsigned n = any_up_to(sizeof text);
    any_bytes(text, n);
    http_parser parser;
    http_parser_settings settings;
    http_parser_settings_init(&settings);
    settings.on_url = on_data;
    settings.on_header_field = on_data;
    settings.on_header_value = on_data;
    parser.data = NULL; /* which is kept */
    http_parser_init(&parser, HTTP_REQUEST);
    assert(http_parser_execute(&parser, &settings, text, n) <= n);
    assert(seen <= n);
    return 0;
}
