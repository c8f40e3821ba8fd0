/* wchar.h, wctype.h: wide strings, in the C locale. */
typedef unsigned long size;
typedef int wide;
int __library_any_int(void);
static int yes(int c) {
    int any = __library_any_int();
    return !c ? 0 : any ? any : 1;
}
size wcslen(const wide *s) {
    size n = 0;
    while (s[n])
        n++;
    return n;
}
size wcsnlen(const wide *s, size most) {
    size n = 0;
    while (n < most && s[n])
        n++;
    return n;
}
wide *wcscpy(wide *to, const wide *from) {
    size i = 0;
    for (; from[i]; i++)
        to[i] = from[i];
    to[i] = 0;
    return to;
}
wide *wcsncpy(wide *to, const wide *from, size n) {
    size i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}
wide *wcscat(wide *to, const wide *from) {
    size end = 0, i = 0;
    while (to[end])
        end++;
    for (; from[i]; i++)
        to[end + i] = from[i];
    to[end + i] = 0;
    return to;
}
wide *wcsncat(wide *to, const wide *from, size n) {
    size end = 0, i = 0;
    while (to[end])
        end++;
    for (; i < n && from[i]; i++)
        to[end + i] = from[i];
    to[end + i] = 0;
    return to;
}
int wcscmp(const wide *a, const wide *b) {
    size i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    return a[i] < b[i] ? -1 : a[i] > b[i];
}
int wcsncmp(const wide *a, const wide *b, size n) {
    for (size i = 0; i < n; i++)
        if (!a[i] || a[i] != b[i])
            return a[i] < b[i] ? -1 : a[i] > b[i];
    return 0;
}
wide *wcschr(const wide *s, wide c) {
    size i = 0;
    for (; s[i] != c; i++)
        if (!s[i])
            return 0;
    return (wide *)s + i;
}
wide *wcsrchr(const wide *s, wide c) {
    wide *found = 0;
    for (size i = 0;; i++) {
        if (s[i] == c)
            found = (wide *)s + i;
        if (!s[i])
            return found;
    }
}
wide *wcsstr(const wide *hay, const wide *needle) {
    for (size i = 0;; i++) {
        size k = 0;
        while (needle[k] && hay[i + k] == needle[k])
            k++;
        if (!needle[k])
            return (wide *)hay + i;
        if (!hay[i + k])
            return 0;
    }
}
wide *wmemcpy(wide *to, const wide *from, size n) {
    for (size i = 0; i < n; i++)
        to[i] = from[i];
    return to;
}
wide *wmemmove(wide *to, const wide *from, size n) {
    if (from < to)
        for (size i = n; i > 0; i--)
            to[i - 1] = from[i - 1];
    else
        for (size i = 0; i < n; i++)
            to[i] = from[i];
    return to;
}
wide *wmemset(wide *to, wide c, size n) {
    for (size i = 0; i < n; i++)
        to[i] = c;
    return to;
}
int wmemcmp(const wide *a, const wide *b, size n) {
    for (size i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}
wide *wmemchr(const wide *s, wide c, size n) {
    for (size i = 0; i < n; i++)
        if (s[i] == c)
            return (wide *)s + i;
    return 0;
}
unsigned towlower(unsigned c) { return 'A' <= c && c <= 'Z' ? c + ('a' - 'A') : c; }
unsigned towupper(unsigned c) { return 'a' <= c && c <= 'z' ? c - ('a' - 'A') : c; }
int iswdigit(unsigned c) { return yes('0' <= c && c <= '9'); }
int iswalpha(unsigned c) { return yes(('A' <= c && c <= 'Z') || ('a' <= c && c <= 'z')); }
int iswalnum(unsigned c) { return yes(('0' <= c && c <= '9') || ('A' <= c && c <= 'Z') || ('a' <= c && c <= 'z')); }
int iswspace(unsigned c) { return yes(c == ' ' || ('\t' <= c && c <= '\r')); }
int iswupper(unsigned c) { return yes('A' <= c && c <= 'Z'); }
int iswlower(unsigned c) { return yes('a' <= c && c <= 'z'); }
