/* The same ring buffer, but whoever puts does not look whether it is full: false. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

#define SIZE 8

static int buffer[SIZE];
static unsigned head, tail, used;

static void put(int item)
{
    buffer[tail] = item;
    tail = (tail + 1) % SIZE;
    used++;
}

static void get(void)
{
    if (used == 0)
        return;
    head = (head + 1) % SIZE;
    used--;
}

int main(void)
{
    for (;;) {
        if (__VERIFIER_nondet_uint() % 2)
            put(1);
        else
            get();
        assert(used <= SIZE);
        assert(head < SIZE && tail < SIZE);
    }
}
