// Lists that a global variable led to, which leads nowhere in the end
// verdict(valid-memtrack): false at 8:5
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned int);
extern void free(void *);
struct item { struct item *next; };
static struct item *list;
int main(void) {
  do {
    struct item *n = malloc(sizeof(struct item));
    n->next = list;
    list = n;
  } while (__VERIFIER_nondet_int());
  while (list->next) list = list->next;
  free(list);
  return 0;
}
