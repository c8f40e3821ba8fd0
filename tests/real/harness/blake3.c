/* A BLAKE3 hash of any few bytes, by the portable code: blake3_dispatch.c asks the processor what it can do. */
#include "any.h"
#include "blake3.h"
#include "blake3_impl.h"

void blake3_compress_in_place(uint32_t cv[8], const uint8_t block[BLAKE3_BLOCK_LEN], uint8_t block_len,
                              uint64_t counter, uint8_t flags)
{
    blake3_compress_in_place_portable(cv, block, block_len, counter, flags);
}

void blake3_compress_xof(const uint32_t cv[8], const uint8_t block[BLAKE3_BLOCK_LEN], uint8_t block_len,
                         uint64_t counter, uint8_t flags, uint8_t out[64])
{
    blake3_compress_xof_portable(cv, block, block_len, counter, flags, out);
}

void blake3_xof_many(const uint32_t cv[8], const uint8_t block[BLAKE3_BLOCK_LEN], uint8_t block_len,
                     uint64_t counter, uint8_t flags, uint8_t out[64], size_t outblocks)
{
    for (size_t i = 0; i < outblocks; i++)
        blake3_compress_xof_portable(cv, block, block_len, counter + i, flags, out + 64 * i);
}

void blake3_hash_many(const uint8_t *const *inputs, size_t num_inputs, size_t blocks, const uint32_t key[8],
                      uint64_t counter, bool increment_counter, uint8_t flags, uint8_t flags_start,
                      uint8_t flags_end, uint8_t *out)
{
    blake3_hash_many_portable(inputs, num_inputs, blocks, key, counter, increment_counter, flags, flags_start,
                              flags_end, out);
}

size_t blake3_simd_degree(void) { return 1; }

int main(void)
{
    unsigned char data[3], out[BLAKE3_OUT_LEN];
    unsigned n = any_up_to(sizeof data);
    any_bytes(data, n);
    blake3_hasher hasher;
    blake3_hasher_init(&hasher);
    blake3_hasher_update(&hasher, data, n);
    blake3_hasher_finalize(&hasher, out, BLAKE3_OUT_LEN);
    return 0;
}
