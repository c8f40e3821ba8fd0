/* Fields that are called back are readable, and everything is freed. */
#include "any.h"
#include "csv.h"

static unsigned fields, rows;

static void on_field(void *field, size_t size, void *data)
{
    (void)data;
    if (size)
        assert(((unsigned char *)field)[size - 1] + 1);
    fields++;
}

static void on_row(int end, void *data)
{
    (void)end;
    (void)data;
    rows++;
}

int main(void)
{
    char text[3];
    unsigned n = any_up_to(sizeof text);
    any_bytes(text, n);
    struct csv_parser parser;
    if (csv_init(&parser, 0))
        return 0;
    csv_parse(&parser, text, n, on_field, on_row, NULL);
    csv_fini(&parser, on_field, on_row, NULL);
    assert(rows <= n + 1 && fields <= n + 1);
    csv_free(&parser);
    return 0;
}
