// Reversing a list in place
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
struct node { char tag; struct node *next; };
int main(void) {
  struct node a = {'a', 0}, b = {'b', &a}, c = {'c', &b}, *l = &c, *r = 0;
  while (l) { struct node *t = l->next; l->next = r; r = l; l = t; }
  check(r->tag == 'a' && r->next->next->tag == 'b');
  return 0;
}
