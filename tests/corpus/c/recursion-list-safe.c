// The length of a list by recursion, of at most 100
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
struct node { struct node *next; };
static int length(struct node *p) {
  if (!p) return 0;
  int rest = length(p->next);
  return rest < 100 ? rest + 1 : rest;
}
int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) return 0;
    n->next = list;
    list = n;
  }
  int r = length(list);
  check(0 <= r && r <= 100);
  return 0;
}
