/* The middle of two indices: the bug adds them. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (low < 0 || high < low)
        return 0;
#ifdef BUG
    int middle = (low + high) / 2;
#else
    int middle = low + (high - low) / 2;
#endif
    return middle < low;
}
