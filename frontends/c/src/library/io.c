/* What comes from outside: stdio.h, unistd.h, sys/random.h. */
typedef unsigned long size;
int *__errno_location(void);
int __library_any_int(void);
long __library_any_long(void);
char __library_any_char(void);
void __library_uses(void *);
void __VERIFIER_assume(int);
static void fill(char *to, size n) {
    for (size i = 0; i < n; i++)
        to[i] = __library_any_char();
}
/* As many of n as are transferred; -1 for an error. */
static long part(size n) {
    long done = __library_any_long();
    __VERIFIER_assume(done == -1 || (0 <= done && (size)done <= n));
    if (done < 0)
        *__errno_location() = __library_any_int();
    return done;
}
static long input(void *to, size n) {
    long got = part(n);
    if (got > 0)
        fill(to, got);
    return got;
}
long read(int file, void *to, size n) { return input(to, n); }
long getrandom(void *to, size n, unsigned flags) { return input(to, n); }
size fread(void *to, size each, size n, void *file) {
    size got = __library_any_long(), rest = 0;
    __library_uses(file);
    __VERIFIER_assume(got <= n);
    if (got < n) {
        /* A part of the next one. */
        rest = __library_any_long();
        __VERIFIER_assume(rest < each || rest == 0);
        *__errno_location() = __library_any_int();
    }
    fill(to, got * each + rest);
    return got;
}
char *fgets(char *to, int n, void *file) {
    int i = 0, c = 0;
    __library_uses(file);
    while (i < n - 1 && c != '\n') {
        c = __library_any_int();
        if (c < 0 || c > 255)
            break;
        to[i] = c;
        i++;
    }
    if (n <= 0 || (n > 1 && i == 0) || __library_any_int()) {
        *__errno_location() = __library_any_int();
        return 0;
    }
    to[i] = 0;
    return to;
}
