// Computed cases and a goto out of nested loops
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int found = 0, i, j;
  for (i = 0; i < 4; i++) for (j = 0; j < 4; j++) if (i * j == 6) { found = 1; goto out; }
out:
  check(found && i == 2 && j == 3);
  return 0;
}
