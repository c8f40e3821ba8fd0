// One element more than there is room for
// verdict(valid-deref): false at 7:37
extern void *malloc(unsigned);
struct packet { int n; int data[1]; };
int main(void) {
  struct packet *p = malloc(sizeof *p + 3 * sizeof(int));
  for (p->n = 0; p->n <= 4; p->n++) p->data[p->n] = 7;
  return p->data[3];
}
