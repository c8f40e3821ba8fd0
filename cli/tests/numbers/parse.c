// A percentage from text. Bug: nobody looks whether there was a number.
#include <assert.h>
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);
static int percent(const char *text)
{
    char *end;
    long n = strtol(text, &end, 10);
#ifdef BUG
    if (n < 0)
        return -1;
#else
    if (end == text || *end != 0 || n < 0 || n > 100)
        return -1;
#endif
    return n;
}
int main(void)
{
    char text[4];
    for (int i = 0; i < 3; i++)
        text[i] = __VERIFIER_nondet_char();
    text[3] = 0;
    int n = percent(text);
    assert(n >= -1 && n <= 100);
    return 0;
}
