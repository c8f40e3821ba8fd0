/* arpa/inet.h, unistd.h: the machine is little endian, the network big endian. */
unsigned htonl(unsigned x) { return __builtin_bswap32(x); }
unsigned ntohl(unsigned x) { return __builtin_bswap32(x); }
unsigned short htons(unsigned short x) { return __builtin_bswap16(x); }
unsigned short ntohs(unsigned short x) { return __builtin_bswap16(x); }
void swab(const void *from, void *to, long n) {
    const char *f = from;
    char *t = to;
    for (long i = 0; i + 1 < n; i += 2) {
        char a = f[i], b = f[i + 1];
        t[i] = b;
        t[i + 1] = a;
    }
}
