/* A mask of so many bits: the bug allows for all of them. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned bits = __VERIFIER_nondet_uint();
#ifdef BUG
    if (bits > 32)
#else
    if (bits > 31)
#endif
        return 0;
    return ((1u << bits) - 1) % 7;
}
