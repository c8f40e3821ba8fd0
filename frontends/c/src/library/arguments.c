/* What the caller of main hands over: as many strings as it says, and a null pointer behind them. They lie in one
   block, as they do on Linux, each with any content. */
typedef unsigned long size;
int __library_any_int(void);
long __library_any_long(void);
void *__library_object(size);
void __VERIFIER_assume(int);
char **__library_arguments(int count) {
    size n = (__library_any_long() & 0xffff) + 1UL, at = 0;
    char *block = __library_object(n), **all = __library_object((count + 1UL) * sizeof(char *));
    block[n - 1] = 0;
    for (int i = 0; i < count; i++) {
        all[i] = block + at;
        if (i + 1 == count)
            break;
        /* One ends before the next begins. */
        size next = __library_any_long();
        __VERIFIER_assume(at < next && next < n);
        block[next - 1] = 0;
        at = next;
    }
    all[count] = 0;
    return all;
}
