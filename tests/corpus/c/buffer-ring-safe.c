// A ring buffer gives back what was put
// verdict(unreach-call): true
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static int buf[4];
static unsigned head, tail;
int main(void) {
  int next = 0, seen = 0;
  for (int i = 0; i < 10; i++) {
    if (__VERIFIER_nondet_bool()) { if (head - tail < 4) buf[head++ % 4] = next++; }
    else if (head != tail) { check(buf[tail++ % 4] == seen); seen++; }
  }
  return 0;
}
