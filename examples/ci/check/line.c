/* Any sequence of operations on a line. */
#include "../src/line.c"

#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    struct line line;

    line_clear(&line);
    for (int i = 0; i < 20; i++) {
        if (__VERIFIER_nondet_int())
            line_put(&line, __VERIFIER_nondet_char());
        else
            line_take(&line);
        assert(line.used < LINE_MAX);
    }
    return 0;
}
