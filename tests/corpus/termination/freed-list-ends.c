// A list of any length, built and taken apart: addresses tell how far.
#include <stdlib.h>
struct node { struct node *next; };
int nondet(void);
int main(void) {
  struct node *list = 0;
  unsigned length = 0;
  while (length < 4 && nondet()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->next = list;
    list = n;
    length++;
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
