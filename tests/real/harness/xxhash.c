/* XXH32 of any bytes and any seed reads what it was given. */
#include "any.h"
#include "xxhash.h"

int main(void)
{
    unsigned char data[20];
    unsigned n = any_up_to(sizeof data);
    any_bytes(data, n);
    XXH32(data, n, __VERIFIER_nondet_uint());
    return 0;
}
