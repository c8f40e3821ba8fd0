/* What was decoded is a character, and encodes as the bytes it came from. */
#include "any.h"
#include "utf8proc.h"

int main(void)
{
    utf8proc_uint8_t in[4], out[4];
    unsigned n = any_up_to(sizeof in);
    any_bytes(in, n);
    utf8proc_int32_t c;
    utf8proc_ssize_t size = utf8proc_iterate(in, n, &c);
    if (size <= 0)
        return 0;
    assert(utf8proc_codepoint_valid(c));
    assert(utf8proc_encode_char(c, out) == size);
    for (int i = 0; i < size; i++)
        assert(in[i] == out[i]);
    return 0;
}
