/* Addresses made by arithmetic that C leaves undefined and compilers do all the same. */
#include <stdint.h>

static int based_on_null(void) {
    int x = 0;
    char *p = (char *)0 + (uintptr_t)&x;
    *(int *)p = 5;
    return x == 5;
}

static int moved_from_null(void) {
    int x = 0;
    char *p = 0;
    p += (uintptr_t)&x;
    *(int *)p = 5;
    return x == 5;
}

int main(void) {
    if (!based_on_null()) return 1;
    if (!moved_from_null()) return 2;
    return 0;
}
