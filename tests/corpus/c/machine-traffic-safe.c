// A traffic light never shows green both ways
// verdict(unreach-call): true
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
enum light { RED, GREEN, YELLOW };
int main(void) {
  enum light a = GREEN, b = RED;
  while (__VERIFIER_nondet_bool()) {
    switch (a) {
    case GREEN: a = YELLOW; break;
    case YELLOW: a = RED; b = GREEN; break;
    case RED: if (b == GREEN) b = YELLOW; else if (b == YELLOW) { b = RED; a = GREEN; } break;
    }
    check(!(a == GREEN && b == GREEN));
  }
  return 0;
}
