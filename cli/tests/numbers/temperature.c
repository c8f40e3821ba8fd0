// Celsius as Fahrenheit. Bug: nine fifths of integers are one.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static double fahrenheit(int c)
{
#ifdef BUG
    return c * (9 / 5) + 32;
#else
    return c * 9 / 5.0 + 32;
#endif
}
int main(void)
{
    int c = __VERIFIER_nondet_int();
    if (c < -273 || c > 1000)
        return 0;
    double f = fahrenheit(c);
    assert((c < 10 || f >= 50) && (c != 100 || f == 212));
    return 0;
}
