/* Numbers from text: stdlib.h, inttypes.h. */
int *__errno_location(void);
enum { EINVAL = 22, ERANGE = 34 };
static int digit(char c) {
    if ('0' <= c && c <= '9')
        return c - '0';
    if ('a' <= c && c <= 'z')
        return c - 'a' + 10;
    if ('A' <= c && c <= 'Z')
        return c - 'A' + 10;
    return 36;
}
/* The number at `s` without its sign; more than `most` (one more for a negative number) is out of range. */
static unsigned long long number(const char *s, char **end, int base, int *negative, unsigned long long most,
                                 int is_signed) {
    unsigned long i = 0;
    *negative = 0;
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = EINVAL;
        return 0;
    }
    while (s[i] == ' ' || ('\t' <= s[i] && s[i] <= '\r'))
        i++;
    if (s[i] == '-' || s[i] == '+') {
        *negative = s[i] == '-';
        i++;
    }
    if ((base == 0 || base == 16) && s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X') && digit(s[i + 2]) < 16) {
        i += 2;
        base = 16;
    } else if (base == 0) {
        base = s[i] == '0' ? 8 : 10;
    }
    unsigned long long value = 0, limit = most + (is_signed && *negative);
    int any = 0, over = 0;
    while (digit(s[i]) < base) {
        unsigned long long d = digit(s[i]);
        if (over || value > limit / base || value * base > limit - d)
            over = 1;
        else
            value = value * base + d;
        any = 1;
        i++;
    }
    if (end)
        *end = (char *)s + (any ? i : 0);
    if (over) {
        *__errno_location() = ERANGE;
        if (!is_signed)
            *negative = 0;
        return limit;
    }
    return value;
}
static unsigned long long with_sign(unsigned long long value, int negative) {
    return negative ? 0 - value : value;
}
long strtol(const char *s, char **end, int base) {
    int negative;
    unsigned long long most = ~0UL >> 1;
    unsigned long long value = number(s, end, base, &negative, most, 1);
    return (long)with_sign(value, negative);
}
long long strtoll(const char *s, char **end, int base) {
    int negative;
    unsigned long long value = number(s, end, base, &negative, ~0ULL >> 1, 1);
    return (long long)with_sign(value, negative);
}
long long strtoimax(const char *s, char **end, int base) {
    int negative;
    unsigned long long value = number(s, end, base, &negative, ~0ULL >> 1, 1);
    return (long long)with_sign(value, negative);
}
unsigned long strtoul(const char *s, char **end, int base) {
    int negative;
    unsigned long long value = number(s, end, base, &negative, ~0UL, 0);
    return (unsigned long)with_sign(value, negative);
}
unsigned long long strtoull(const char *s, char **end, int base) {
    int negative;
    unsigned long long value = number(s, end, base, &negative, ~0ULL, 0);
    return with_sign(value, negative);
}
unsigned long long strtoumax(const char *s, char **end, int base) {
    int negative;
    unsigned long long value = number(s, end, base, &negative, ~0ULL, 0);
    return with_sign(value, negative);
}
int atoi(const char *s) {
    int negative;
    unsigned long long value = number(s, 0, 10, &negative, ~0UL >> 1, 1);
    return (int)with_sign(value, negative);
}
long atol(const char *s) {
    int negative;
    unsigned long long value = number(s, 0, 10, &negative, ~0UL >> 1, 1);
    return (long)with_sign(value, negative);
}
long long atoll(const char *s) {
    int negative;
    unsigned long long value = number(s, 0, 10, &negative, ~0ULL >> 1, 1);
    return (long long)with_sign(value, negative);
}
