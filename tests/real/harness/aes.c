/* AES-128 of any block with any key. */
#include "any.h"
#include "aes.h"

int main(void)
{
    uint8_t key[16];
    v128_t block;
    srtp_aes_expanded_key_t expanded;
    any_bytes(key, sizeof key);
    any_bytes(&block, sizeof block);
    assert(srtp_aes_expand_encryption_key(key, 16, &expanded) == srtp_err_status_ok);
    assert(expanded.num_rounds == 10);
    srtp_aes_encrypt(&block, &expanded);
    return 0;
}
