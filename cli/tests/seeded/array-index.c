/* A histogram of four buckets: the bug counts what is out of range. */
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned buckets[4];

int main(void)
{
    unsigned value = __VERIFIER_nondet_uint();
#ifdef BUG
    if (value <= 4)
#else
    if (value < 4)
#endif
        buckets[value]++;
    return 0;
}
