/* A sign: the bug forgets a case. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int sign;
    if (n < 0)
        sign = -1;
    else if (n > 0)
        sign = 1;
#ifndef BUG
    else
        sign = 0;
#endif
    return sign == 1;
}
