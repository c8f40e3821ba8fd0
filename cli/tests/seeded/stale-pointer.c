/* The largest of some numbers: the bug keeps a pointer into an earlier round of the loop. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int best = 0;
    const int *largest = &best;
    for (int i = 0; i < 2; i++) {
        int value = __VERIFIER_nondet_int();
        if (value > *largest) {
#ifdef BUG
            largest = &value;
#else
            best = value;
#endif
        }
    }
    return *largest < 0;
}
