/* Decompression of what nobody compressed stays inside of both buffers. */
#include "any.h"
#include "lzf.h"

int main(void)
{
    unsigned char in[4], out[8];
    unsigned n = any_up_to(sizeof in);
    __VERIFIER_assume(n >= 1);
    any_bytes(in, n);
    assert(lzf_decompress(in, n, out, sizeof out) <= sizeof out);
    return 0;
}
