// The old way to write a flexible array member
// verdict(valid-deref): true
extern void *malloc(unsigned);
struct packet { int n; int data[1]; };
int main(void) {
  struct packet *p = malloc(sizeof *p + 3 * sizeof(int));
  for (p->n = 0; p->n < 4; p->n++) p->data[p->n] = 7;
  return p->data[3];
}
