/* Four characters make at most three bytes. */
#include "any.h"
#include <b64/cdecode.h>

int main(void)
{
    char code[8], plain[8];
    unsigned n = any_up_to(sizeof code);
    any_bytes(code, n);
    base64_decodestate state;
    base64_init_decodestate(&state);
    int size = base64_decode_block(code, n, plain, &state);
    assert(0 <= size && size <= 6);
    return 0;
}
