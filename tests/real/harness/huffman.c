/* Code lengths as the decoder makes sure of them: 1 to 20 each. */
#include "any.h"
#include "bzlib_private.h"

int main(void)
{
    Int32 limit[BZ_MAX_CODE_LEN + 3], base[BZ_MAX_CODE_LEN + 3], perm[6];
    UChar length[6];
    Int32 least = 20, most = 1;
    for (int i = 0; i < 6; i++) {
        length[i] = 1 + any_up_to(19);
        if (length[i] < least) least = length[i];
        if (length[i] > most) most = length[i];
    }
    BZ2_hbCreateDecodeTables(limit, base, perm, length, least, most, 6);
    for (int i = 0; i < 6; i++)
        assert(perm[i] >= 0 && perm[i] < 6);
    return 0;
}
