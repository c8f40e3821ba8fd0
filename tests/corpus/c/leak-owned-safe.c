// Items of a list of any length, some of which own an object of their own: all are freed
// verdict(valid-memtrack): true
// verdict(valid-free): true
// verdict(valid-deref): true
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned int);
extern void free(void *);
struct item { struct item *next; struct item *own; };
int main(void) {
  struct item *first = malloc(sizeof(struct item)), *last = first;
  first->next = 0;
  first->own = 0;
  while (__VERIFIER_nondet_int()) {
    struct item *n = malloc(sizeof(struct item));
    n->next = 0;
    n->own = 0;
    if (__VERIFIER_nondet_int()) {
      n->own = malloc(sizeof(struct item));
      n->own->next = 0;
    }
    last->next = n;
    last = n;
  }
  while (first) {
    struct item *next = first->next;
    if (first->own) free(first->own);
    free(first);
    first = next;
  }
  return 0;
}
