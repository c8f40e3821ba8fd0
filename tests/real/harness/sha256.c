/* SHA-256 of any few bytes; its functions are static, so the file is included. */
#include "any.h"
#include "src/crypt/crypt_sha256.c"

int main(void)
{
    unsigned char data[3], digest[32];
    unsigned n = any_up_to(sizeof data);
    any_bytes(data, n);
    struct sha256 state;
    sha256_init(&state);
    sha256_update(&state, data, n);
    sha256_sum(&state, digest);
    return 0;
}
