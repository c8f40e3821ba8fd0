#include <assert.h>

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 40000; i++) {
        if (i % 2)
            sum += i % 7;
        else
            sum -= 1;
    }
    assert(sum == 5);
    return 0;
}
