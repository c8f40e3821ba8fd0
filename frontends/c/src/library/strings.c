/* string.h and strings.h: searching, splitting and copying that occurs too rarely for a model in the IVL. */
typedef unsigned long size;
void *malloc(size);
void *memcpy(void *, const void *, size);
void *memmove(void *, const void *, size);
int memcmp(const void *, const void *, size);
static int small(char c) { return 'A' <= c && c <= 'Z' ? c + ('a' - 'A') : (unsigned char)c; }
static int member(const char *set, char c) {
    for (size i = 0; set[i]; i++)
        if (set[i] == c)
            return 1;
    return 0;
}
int bcmp(const void *a, const void *b, size n) { return memcmp(a, b, n); }
void bcopy(const void *from, void *to, size n) { memmove(to, from, n); }
void *memccpy(void *to, const void *from, int c, size n) {
    char *t = to;
    const char *f = from;
    for (size i = 0; i < n; i++) {
        t[i] = f[i];
        if (f[i] == (char)c)
            return t + i + 1;
    }
    return 0;
}
void *memrchr(const void *s, int c, size n) {
    const char *p = s;
    while (n > 0) {
        n--;
        if (p[n] == (char)c)
            return (char *)p + n;
    }
    return 0;
}
void *rawmemchr(const void *s, int c) {
    const char *p = s;
    size i = 0;
    while (p[i] != (char)c)
        i++;
    return (char *)p + i;
}
void *memmem(const void *hay, size hay_size, const void *needle, size needle_size) {
    const char *h = hay, *n = needle;
    for (size i = 0; i + needle_size <= hay_size; i++) {
        size k = 0;
        while (k < needle_size && h[i + k] == n[k])
            k++;
        if (k == needle_size)
            return (char *)h + i;
    }
    return 0;
}
char *strchrnul(const char *s, int c) {
    size i = 0;
    while (s[i] && s[i] != (char)c)
        i++;
    return (char *)s + i;
}
char *strstr(const char *hay, const char *needle) {
    for (size i = 0;; i++) {
        size k = 0;
        while (needle[k] && hay[i + k] == needle[k])
            k++;
        if (!needle[k])
            return (char *)hay + i;
        if (!hay[i + k])
            return 0;
    }
}
size strspn(const char *s, const char *accept) {
    size i = 0;
    while (s[i] && member(accept, s[i]))
        i++;
    return i;
}
size strcspn(const char *s, const char *reject) {
    size i = 0;
    while (s[i] && !member(reject, s[i]))
        i++;
    return i;
}
char *strpbrk(const char *s, const char *accept) {
    for (size i = 0; s[i]; i++)
        if (member(accept, s[i]))
            return (char *)s + i;
    return 0;
}
/* In the C locale texts are ordered as bytes. */
int strcoll(const char *a, const char *b) {
    size i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    return (unsigned char)a[i] - (unsigned char)b[i];
}
int strcasecmp(const char *a, const char *b) {
    size i = 0;
    while (a[i] && small(a[i]) == small(b[i]))
        i++;
    return small(a[i]) - small(b[i]);
}
int strncasecmp(const char *a, const char *b, size n) {
    for (size i = 0; i < n; i++)
        if (!a[i] || small(a[i]) != small(b[i]))
            return small(a[i]) - small(b[i]);
    return 0;
}
char *stpncpy(char *to, const char *from, size n) {
    size i = 0;
    while (i < n && from[i]) {
        to[i] = from[i];
        i++;
    }
    for (size k = i; k < n; k++)
        to[k] = 0;
    return to + i;
}
size strlcpy(char *to, const char *from, size n) {
    size i = 0;
    for (; from[i]; i++)
        if (i + 1 < n)
            to[i] = from[i];
    if (n > 0)
        to[i < n ? i : n - 1] = 0;
    return i;
}
size strlcat(char *to, const char *from, size n) {
    size end = 0, i = 0;
    while (end < n && to[end])
        end++;
    for (; from[i]; i++)
        if (end + i + 1 < n)
            to[end + i] = from[i];
    if (end < n)
        to[end + i < n ? end + i : n - 1] = 0;
    return end + i;
}
char *strndup(const char *s, size n) {
    size i = 0;
    while (i < n && s[i])
        i++;
    char *copy = malloc(i + 1);
    if (copy) {
        for (size k = 0; k < i; k++)
            copy[k] = s[k];
        copy[i] = 0;
    }
    return copy;
}
/* The next word at `*at`, which moves behind it. */
static char *word(char *s, const char *between, char **at) {
    size i = 0;
    if (!s)
        s = *at;
    if (!s)
        return 0;
    while (s[i] && member(between, s[i]))
        i++;
    if (!s[i]) {
        *at = s + i;
        return 0;
    }
    char *start = s + i;
    while (s[i] && !member(between, s[i]))
        i++;
    if (s[i]) {
        s[i] = 0;
        i++;
    }
    *at = s + i;
    return start;
}
char *strtok_r(char *s, const char *between, char **at) { return word(s, between, at); }
char *strtok(char *s, const char *between) {
    static char *at;
    return word(s, between, &at);
}
char *strsep(char **at, const char *between) {
    char *start = *at;
    if (!start)
        return 0;
    size i = 0;
    while (start[i] && !member(between, start[i]))
        i++;
    if (start[i]) {
        start[i] = 0;
        *at = start + i + 1;
    } else {
        *at = 0;
    }
    return start;
}
