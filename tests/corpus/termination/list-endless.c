// A list that bites its tail.
struct node { struct node *next; };
int main(void) {
  struct node a, b, c;
  a.next = &b;
  b.next = &c;
  c.next = &a;
  for (struct node *p = &a; p; p = p->next) {}
  return 0;
}
