/* The sign of a number: the bug has no answer for zero. */
extern int __VERIFIER_nondet_int(void);

static int sign(int n)
{
    if (n < 0)
        return -1;
    if (n > 0)
        return 1;
#ifndef BUG
    return 0;
#endif
}

int main(void)
{
    return sign(__VERIFIER_nondet_int()) > 0;
}
