// Removing from the middle
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
struct node { int v; struct node *next; };
int main(void) {
  struct node c = {3, 0}, b = {2, &c}, a = {1, &b}, **p = &(struct node *){&a};
  struct node *head = &a;
  for (p = &head; *p; p = &(*p)->next) if ((*p)->v == 2) { *p = (*p)->next; break; }
  check(head->next->v == 3);
  return 0;
}
