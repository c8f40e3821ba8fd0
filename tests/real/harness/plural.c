/* A plural expression of any text is evaluated or refused. */
#include "any.h"

unsigned long __pleval(const char *, unsigned long);

int main(void)
{
    char text[3];
    any_bytes(text, 2);
    text[2] = 0;
    __pleval(text, __VERIFIER_nondet_uint());
    return 0;
}
