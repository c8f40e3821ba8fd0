// A list of any length that ends at an object of its own, which is not freed
// verdict(valid-memtrack): false at 7:5
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned int);
extern void free(void *);
struct item { int mark; struct item *next; };
int main(void) {
  struct item *end = malloc(sizeof(struct item));
  end->mark = 1;
  end->next = 0;
  struct item *first = malloc(sizeof(struct item)), *last = first;
  first->mark = 0;
  first->next = end;
  while (__VERIFIER_nondet_int()) {
    struct item *n = malloc(sizeof(struct item));
    n->mark = 0;
    n->next = end;
    last->next = n;
    last = n;
  }
  while (first->mark == 0) {
    struct item *next = first->next;
    free(first);
    first = next;
  }
  end = 0;
  return 0;
}
