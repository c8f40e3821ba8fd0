// Continue runs the step of a for loop
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int odd = 0;
  for (int i = 0; i < 10; i++) { if (i % 2 == 0) continue; odd++; }
  check(odd == 5);
  return 0;
}
