// A member through null at the end of a list
// verdict(valid-deref): true
struct node { int v; struct node *next; };
int main(void) {
  struct node b = {2, 0}, a = {1, &b}, *p = &a;
  while (p != 0 && p->next != 0) p = p->next;
  return 0;
}
