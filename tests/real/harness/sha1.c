/* SHA-1 of any few bytes. */
#include "any.h"
#include "sha1.h"

int main(void)
{
    uint8_t data[8];
    uint32_t digest[5];
    unsigned n = any_up_to(sizeof data);
    any_bytes(data, n);
    srtp_sha1_ctx_t state;
    srtp_sha1_init(&state);
    srtp_sha1_update(&state, data, n);
    srtp_sha1_final(&state, digest);
    return 0;
}
