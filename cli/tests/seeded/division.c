/* A mean: the bug divides by the number of nothing. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned sum = __VERIFIER_nondet_uint(), count = __VERIFIER_nondet_uint();
#ifndef BUG
    if (count == 0)
        return 0;
#endif
    return sum / count > 100;
}
