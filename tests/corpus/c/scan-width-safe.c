// scanf with a width: a minus takes one of the characters
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
extern int scanf(const char *, ...);
int main(void) {
  int decimal = 0;
  unsigned byte = 0;
  if (scanf("%3d %2x", &decimal, &byte) == 2)
    check(-100 < decimal && decimal < 1000 && (int)byte < 256);
  return 0;
}
