typedef unsigned long size_t;
int isalnum(int); int isalpha(int); int isascii(int); int isblank(int); int iscntrl(int); int isdigit(int); int isgraph(int);
int islower(int); int isprint(int); int ispunct(int); int isspace(int); int isupper(int); int isxdigit(int);
int toascii(int); int tolower(int); int toupper(int);
const unsigned short **__ctype_b_loc(void); const int **__ctype_tolower_loc(void); const int **__ctype_toupper_loc(void);
int *__errno_location(void);
long strtol(const char *, char **, int); unsigned long strtoul(const char *, char **, int);
long long strtoll(const char *, char **, int); unsigned long long strtoull(const char *, char **, int);
int atoi(const char *); long atol(const char *); long long atoll(const char *);
unsigned htonl(unsigned); unsigned ntohl(unsigned); unsigned short htons(unsigned short); unsigned short ntohs(unsigned short);
typedef struct { int quot, rem; } div_t; typedef struct { long quot, rem; } ldiv_t; typedef struct { long long quot, rem; } lldiv_t;
div_t div(int, int); ldiv_t ldiv(long, long); lldiv_t lldiv(long long, long long);
int ffs(int); int ffsl(long); int ffsll(long long); long imaxabs(long); long long llabs(long long);
char *strstr(const char *, const char *); size_t strspn(const char *, const char *); size_t strcspn(const char *, const char *);
char *strpbrk(const char *, const char *); char *strtok(char *, const char *); char *strtok_r(char *, const char *, char **);
char *strsep(char **, const char *); int strcasecmp(const char *, const char *); int strncasecmp(const char *, const char *, size_t);
char *strndup(const char *, size_t); void free(void *); void *memmem(const void *, size_t, const void *, size_t);
void *memrchr(const void *, int, size_t); void *memccpy(void *, const void *, int, size_t); char *stpncpy(char *, const char *, size_t);
char *strchrnul(const char *, int); void *rawmemchr(const void *, int); int strcoll(const char *, const char *);
void swab(const void *, void *, long); int bcmp(const void *, const void *, size_t); void bcopy(const void *, void *, size_t);
void *memcpy(void *, const void *, size_t);
static unsigned hash = 5;
static void mix(unsigned long v) { hash = hash * 33u + (unsigned)v + (unsigned)(v >> 32); }
static int sign(int x) { return x < 0 ? 1 : x > 0 ? 2 : 3; }
static void text(const char *s) { while (*s) mix((unsigned char)*s++); }
static void number(const char *s, int base) {
    char *end;
    *__errno_location() = 0;
    mix(strtol(s, &end, base)); mix(end - s); mix(*__errno_location());
    *__errno_location() = 0;
    mix(strtoul(s, &end, base)); mix(end - s); mix(*__errno_location());
    mix(strtoll(s, 0, base)); mix(strtoull(s, &end, base));
}
int main(void) {
    for (int c = -1; c < 256; c++) {
        mix(isalnum(c) != 0); mix(isalpha(c) != 0); mix(isascii(c) != 0); mix(isblank(c) != 0); mix(iscntrl(c) != 0); mix(isdigit(c) != 0); mix(isgraph(c) != 0);
        mix(islower(c) != 0); mix(isprint(c) != 0); mix(ispunct(c) != 0); mix(isspace(c) != 0); mix(isupper(c) != 0); mix(isxdigit(c) != 0);
        mix(toascii(c)); mix(tolower(c)); mix(toupper(c));
    }
    for (int c = -128; c < 256; c++) {
        mix((*__ctype_b_loc())[c]); mix((*__ctype_tolower_loc())[c]); mix((*__ctype_toupper_loc())[c]);
    }
    number("  -42abc", 10); number("0x1fG", 0); number("0x", 16); number("077", 0); number("+zz", 36); number("", 10);
    number("9223372036854775807", 10); number("9223372036854775808", 10); number("-9223372036854775808", 10);
    number("-9223372036854775809", 10); number("18446744073709551615", 10); number("99999999999999999999", 10); mix(strtol("12", 0, 1));
    mix(atoi("\t 17 ")); mix(atoi("-8x")); mix(atol("123456789012")); mix(atoll("-5")); mix(atoi("4294967297"));
    mix(htonl(0x01020304)); mix(ntohl(0xfffe)); mix(htons(0x0102)); mix(ntohs(0xff));
    mix(div(-7, 2).quot); mix(div(-7, 2).rem); mix(ldiv(1L << 40, 3).rem); mix(lldiv(-9, -4).quot);
    mix(ffs(0)); mix(ffs(40)); mix(ffsl(1L << 40)); mix(ffsll(-1)); mix(imaxabs(-5)); mix(llabs(-5000000000LL));
    const char *s = "one, two;three";
    mix(strstr(s, "two") - s); mix(strstr(s, "") - s); mix(strstr(s, "four") == 0); mix(strspn(s, "noe")); mix(strcspn(s, ";,"));
    mix(strpbrk(s, "wt") - s); mix(strpbrk(s, "z") == 0); mix(memmem(s, 14, "three", 5) - (void *)s); mix(memmem(s, 3, "two", 3) == 0);
    mix((char *)memrchr(s, 'e', 14) - s); mix(strchrnul(s, 'q') - s); mix((char *)rawmemchr(s, ';') - s);
    mix(sign(strcasecmp("HeLLo", "hEllO"))); mix(sign(strcasecmp("a", "B"))); mix(sign(strncasecmp("abX", "ABy", 2))); mix(sign(strcoll("b", "a")));
    char buf[20]; memcpy(buf, s, 15);
    for (char *w = strtok(buf, " ,;"); w; w = strtok(0, " ,;")) { text(w); mix(1); }
    memcpy(buf, s, 15); char *at, *w = strtok_r(buf, ",", &at); text(w); text(at);
    memcpy(buf, s, 15); at = buf; while ((w = strsep(&at, ",;"))) { text(w); mix(2); }
    char *copy = strndup(s, 3); text(copy); free(copy);
    mix((char *)memccpy(buf, "abc,def", ',', 8) - buf); text(buf); mix(stpncpy(buf, "xy", 4) - buf); mix(buf[3]);
    swab("badc", buf, 4); mix(buf[0]); mix(buf[3]); mix(sign(bcmp("ab", "ab", 2))); bcopy(buf, buf + 1, 3); mix(buf[3]);
    int r; long l; unsigned u; unsigned long long x;
    mix(__builtin_sadd_overflow(2147483647, 1, &r)); mix(r); mix(__builtin_ssubl_overflow(5, 7, &l)); mix(l);
    mix(__builtin_umul_overflow(65536u, 65536u, &u)); mix(u); mix(__builtin_umulll_overflow(3, 5, &x)); mix(x);
    mix(__builtin_usub_overflow(1, 2, &u)); mix(u); mix(__builtin_add_overflow_p(100, 100, (signed char)0)); mix(__builtin_mul_overflow_p(1000, 1000, (int)0));
    mix(__builtin_clrsb(-1)); mix(__builtin_clrsb(0)); mix(__builtin_clrsbll(1)); mix(__builtin_bswap64(0x0102030405060708ULL)); mix(__builtin_llabs(-5000000000LL));
    mix(__builtin_popcountl(~0UL)); mix(__builtin_ffs(12)); mix(__builtin_strspn("aab", "a")); mix(sizeof __builtin_llabs(1)); mix(sizeof __builtin_strlen("")); mix(__builtin_isdigit('7') != 0);
    return (hash ^ hash >> 7 ^ hash >> 14 ^ hash >> 21 ^ hash >> 28) & 0x7f;
}
