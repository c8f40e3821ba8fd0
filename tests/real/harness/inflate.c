/* Inflate of a raw stream that ends early, with its own allocator. */
#include "any.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* For zutil.c, which needs more of the library than inflate does. */
void *zcalloc(void *opaque, unsigned items, unsigned size) { (void)opaque; return calloc(items, size); }
void zcfree(void *opaque, void *p) { (void)opaque; free(p); }

int main(void)
{
    unsigned char in[2], out[8];
    unsigned n = any_up_to(sizeof in);
    any_bytes(in, n);
    z_stream z;
    memset(&z, 0, sizeof z);
    z.next_in = in;
    z.avail_in = n;
    z.next_out = out;
    z.avail_out = sizeof out;
    if (inflateInit2(&z, -15) != Z_OK)
        return 0;
    /* Where the window cannot be allocated it returns before it counts. */
    int r = inflate(&z, Z_FINISH);
    assert(z.avail_out <= sizeof out && (r == Z_MEM_ERROR || z.total_out == sizeof out - z.avail_out));
    inflateEnd(&z);
    return 0;
}
