/* stdlib.h, malloc.h: addresses of the model suit every alignment. */
typedef unsigned long size;
void *malloc(size);
void *realloc(void *, size);
enum { ENOMEM = 12, EINVAL = 22 };
void *aligned_alloc(size alignment, size n) { return malloc(n); }
void *memalign(size alignment, size n) { return malloc(n); }
int posix_memalign(void **to, size alignment, size n) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    void *object = malloc(n);
    if (!object)
        return ENOMEM;
    *to = object;
    return 0;
}
void *reallocarray(void *old, size n, size each) {
    if (each != 0 && n > (size)-1 / each)
        return 0;
    return realloc(old, n * each);
}
