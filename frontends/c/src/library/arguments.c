/* What the caller of main hands over: as many strings as it says, and a null pointer behind them. They lie in one
   block, as they do on Linux, each with any content. The first ones are written out, because few programs look at more:
   where there are no others, there is no loop, and nothing has to be found out about it. */
typedef unsigned long size;
int __library_any_int(void);
long __library_any_long(void);
void *__library_object(size);
void __VERIFIER_assume(int);
/* One string ends before the next begins. */
static size another(char *block, size n, size at) {
    size next = __library_any_long();
    __VERIFIER_assume(at < next && next < n);
    block[next - 1] = 0;
    return next;
}
char **__library_arguments(int count) {
    size n = (__library_any_long() & 0xffff) + 1UL, at = 0;
    char *block = __library_object(n), **all = __library_object((count + 1UL) * sizeof(char *));
    block[n - 1] = 0;
    if (count > 0)
        all[0] = block;
    if (count > 1)
        all[1] = block + (at = another(block, n, at));
    if (count > 2)
        all[2] = block + (at = another(block, n, at));
    if (count > 3)
        all[3] = block + (at = another(block, n, at));
    if (count > 4)
        for (int i = 4; i < count; i++)
            all[i] = block + (at = another(block, n, at));
    all[count] = 0;
    return all;
}
