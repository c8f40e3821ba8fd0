// A binary search tree
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
struct t { int k; struct t *l, *r; };
static void insert(struct t **t, struct t *n) { while (*t) t = n->k < (*t)->k ? &(*t)->l : &(*t)->r; *t = n; }
int main(void) {
  struct t a = {5, 0, 0}, b = {3, 0, 0}, c = {8, 0, 0}, *root = 0;
  insert(&root, &a); insert(&root, &b); insert(&root, &c);
  check(root->l == &b && root->r == &c);
  return 0;
}
