/* A table of commands with a hole: the bug falls into it. */
static int start(int n) { return n > 0; }
static int stop(int n) { return n < 0; }

static int (*const commands[3])(int) = { start, 0, stop };

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned which = __VERIFIER_nondet_uint();
    if (which > 2)
        return 0;
#ifndef BUG
    if (!commands[which])
        return 0;
#endif
    return commands[which](3);
}
