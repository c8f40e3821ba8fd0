// A number as text. Bug: no room for the smallest one.
#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
#ifdef BUG
#define SIZE 11
#else
#define SIZE 12
#endif
int main(void)
{
    char text[SIZE];
    int n = sprintf(text, "%d", __VERIFIER_nondet_int());
    assert(n > 0 && text[n] == 0);
    return 0;
}
