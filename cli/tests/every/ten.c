/* Ten mistakes of eight kinds, each on a path of its own, and three places where nothing goes wrong. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static int table[4];

static int entry(int i)
{
    return table[i]; /* valid-deref: any index */
}

static struct node *make(int value)
{
    struct node *made = malloc(sizeof *made);
    if (made == NULL)
        exit(1);
    made->value = value;
    made->next = NULL;
    return made;
}

int main(void) /* valid-memtrack */
{
    int n = __VERIFIER_nondet_int();
    switch (__VERIFIER_nondet_int()) {
    case 0:
        assert(n != 17); /* unreach-call */
        break;
    case 1:
        n = n + 1; /* no-overflow */
        break;
    case 2:
        n = 100 / n; /* div-by-zero */
        break;
    case 3:
        n = (int)(1u << (n & 63)); /* shift-range */
        break;
    case 4: {
        int x;
        if (n > 3)
            x = 1;
        n = x; /* uninit */
        break;
    }
    case 5:
        n = entry(n);
        break;
    case 6: {
        struct node *p = make(n);
        n = p->next->value; /* valid-deref: null */
        break;
    }
    case 7: {
        struct node *p = make(n);
        free(p);
        n = p->value; /* valid-deref: freed */
        break;
    }
    case 8: {
        struct node *p = make(n);
        free(p);
        free(p); /* valid-free */
        break;
    }
    case 9: {
        struct node *p = make(n);
        n = p->value; /* holds; the node is never freed */
        break;
    }
    default:
        n = n / 2;          /* holds */
        assert(n < 1 << 30); /* holds */
    }
    return 0;
}
