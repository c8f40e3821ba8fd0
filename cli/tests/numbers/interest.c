// Interest on what is there. Bug: percents of integers are none.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int rate = __VERIFIER_nondet_int();
    if (rate < 1 || rate > 20)
        return 0;
    float balance = 1000;
    for (int year = 0; year < 2; year++) {
#ifdef BUG
        balance += balance * (rate / 100);
#else
        balance += balance * (rate / 100.0f);
#endif
    }
    assert(balance > 1000);
    return 0;
}
