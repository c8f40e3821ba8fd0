// A member through null at the end of a list
// verdict(valid-deref): false at 6:10
struct node { int v; struct node *next; };
int main(void) {
  struct node b = {2, 0}, a = {1, &b}, *p = &a;
  while (p->next != 0) p = p->next->next;
  return 0;
}
