/* stdlib.h, search.h: sorting and searching with a comparison of the program's. C leaves open which of equal elements
   comes first, and so does this; which ones are compared is that of insertion and of halving. */
typedef unsigned long size;
int __library_any_int(void);
typedef int comparison(const void *, const void *);
static void exchange(char *a, char *b, size n) {
    for (size i = 0; i < n; i++) {
        char c = a[i];
        a[i] = b[i];
        b[i] = c;
    }
}
static int after(const void *a, const void *b, comparison *compare) {
    int order = compare(a, b);
    return order > 0 || (order == 0 && __library_any_int());
}
void qsort(void *array, size n, size each, comparison *compare) {
    char *a = array;
    for (size i = 1; i < n; i++)
        for (size k = i; k > 0 && after(a + (k - 1) * each, a + k * each, compare); k--)
            exchange(a + (k - 1) * each, a + k * each, each);
}
void *bsearch(const void *key, const void *array, size n, size each, comparison *compare) {
    const char *a = array;
    size low = 0, high = n;
    while (low < high) {
        size middle = low + (high - low) / 2;
        int order = compare(key, a + middle * each);
        if (order == 0)
            return (void *)(a + middle * each);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
void *lfind(const void *key, const void *array, size *n, size each, comparison *compare) {
    const char *a = array;
    for (size i = 0; i < *n; i++)
        if (compare(key, a + i * each) == 0)
            return (void *)(a + i * each);
    return 0;
}
