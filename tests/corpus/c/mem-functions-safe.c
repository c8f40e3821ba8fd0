// memcpy, memset, memmove
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
extern void *memcpy(void *, const void *, unsigned);
extern void *memset(void *, int, unsigned);
extern void *memmove(void *, const void *, unsigned);
int main(void) {
  int a[4] = {1, 2, 3, 4}, b[4];
  memcpy(b, a, sizeof a);
  memmove(b + 1, b, 3 * sizeof *b);
  check(b[0] == 1 && b[1] == 1 && b[3] == 3);
  memset(a, 0, sizeof a);
  check(a[2] == 0);
  return 0;
}
