/* Decompression of what nobody compressed stays inside of both buffers. */
#include "any.h"
#include "lz4.h"

int main(void)
{
    char in[4], out[8];
    unsigned n = any_up_to(sizeof in);
    any_bytes(in, n);
    int size = LZ4_decompress_safe(in, out, n, sizeof out);
    assert(size <= (int)sizeof out);
    return 0;
}
