// No number in a list of any length is below the minimum
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void *malloc(unsigned int);
static void check(int c) { if (!c) reach_error(); }
struct node { int val; struct node *next; };
int main(void) {
  int min = 2147483647;
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof(struct node));
    n->val = __VERIFIER_nondet_int();
    n->next = list;
    list = n;
    if (n->val < min) min = n->val;
  }
  for (struct node *i = list; i; i = i->next) check(i->val >= min);
  return 0;
}
