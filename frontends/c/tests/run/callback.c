typedef unsigned long size_t; typedef int wchar_t;
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
int strcmp(const char *, const char *);
size_t wcslen(const wchar_t *); wchar_t *wcscpy(wchar_t *, const wchar_t *); int wcscmp(const wchar_t *, const wchar_t *);
wchar_t *wcschr(const wchar_t *, wchar_t); wchar_t *wcsrchr(const wchar_t *, wchar_t); wchar_t *wcsncpy(wchar_t *, const wchar_t *, size_t);
wchar_t *wcscat(wchar_t *, const wchar_t *); wchar_t *wcsstr(const wchar_t *, const wchar_t *); wchar_t *wmemset(wchar_t *, wchar_t, size_t);
static unsigned hash = 3;
static void mix(unsigned long v) { hash = hash * 33u + (unsigned)v; }
struct row { short key; char name[6]; };
static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int down(const void *a, const void *b) { return -up(a, b); }
static int by_name(const void *a, const void *b) { return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name); }
int main(void) {
    int a[7] = {5, -3, 9, 0, 2, 5, -8}, key = 9, none = 4;
    struct row rows[3] = {{1, "pear"}, {2, "apple"}, {3, "fig"}}, *found;
    qsort(a, 7, sizeof *a, up); for (int i = 0; i < 7; i++) mix(a[i]);
    mix((int *)bsearch(&key, a, 7, sizeof *a, up) - a); mix(bsearch(&none, a, 7, sizeof *a, up) == 0);
    qsort(a, 7, sizeof *a, down); for (int i = 0; i < 7; i++) mix(a[i]);
    qsort(rows, 3, sizeof *rows, by_name); for (int i = 0; i < 3; i++) mix(rows[i].key);
    struct row wanted = {0, "fig"}; found = bsearch(&wanted, rows, 3, sizeof *rows, by_name); mix(found->key);
    wchar_t w[16]; mix(wcslen(L"h\u00e9llo")); wcscpy(w, L"abc"); wcscat(w, L"abd"); mix(wcscmp(w, L"abcabd")); mix(wcschr(w, L'b') - w);
    mix(wcsrchr(w, L'b') - w); mix(wcsstr(w, L"abd") - w); wcsncpy(w, L"xy", 4); mix(w[3]); mix(wmemset(w, L'q', 3)[2]); mix(wcschr(w, 0) == 0);
    return hash % 251;
}
