#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *head;

static void push(int value)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    n->value = value;
    n->next = head;
    head = n;
}

/* Forgets to take the node out of the list. */
static void drop(int value)
{
    for (struct node *p = head; p; p = p->next)
        if (p->value == value) {
            free(p);
            return;
        }
}

int main(void)
{
    push(1);
    push(2);
    push(3);
    drop(2);
    int sum = 0;
    for (struct node *p = head; p; p = p->next)
        sum += p->value;
    return sum;
}
