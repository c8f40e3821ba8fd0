// A list of known length
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
extern void *malloc(unsigned);
struct node { int v; struct node *next; };
int main(void) {
  struct node *l = 0;
  for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); n->v = i; n->next = l; l = n; }
  int s = 0;
  for (struct node *n = l; n; n = n->next) s = 10 * s + n->v;
  check(s == 12);
  return 0;
}
