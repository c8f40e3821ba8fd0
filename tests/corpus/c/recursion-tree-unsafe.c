// A tree of depth 3 has 7 nodes
// verdict(unreach-call): false
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
struct tree { struct tree *left, *right; };
static int nodes;
static struct tree *grow(int depth) {
  if (depth <= 0) return 0;
  struct tree *t = malloc(sizeof *t);
  if (!t) return 0;
  nodes = nodes < 1000 ? nodes + 1 : nodes;
  t->left = grow(depth - 1);
  t->right = grow(depth - 1);
  return t;
}
static int depth(struct tree *t) {
  if (!t) return 0;
  int l = depth(t->left), r = depth(t->right);
  int d = l > r ? l : r;
  return d < 100 ? d + 1 : d;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 20) return 0;
  struct tree *t = grow(n);
  int d = depth(t);
  check(nodes != 7);
  return 0;
}
