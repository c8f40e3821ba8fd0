/* A CRC-32 goes on where it was left. */
#include "any.h"
#include <zlib.h>

int main(void)
{
    unsigned char data[2];
    any_bytes(data, 2);
    uLong whole = crc32(0, data, 2);
    uLong first = crc32(0, data, 1);
    assert(crc32(first, data + 1, 1) == whole);
    return 0;
}
