// Values leave in the order they came
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int main(void) {
  int in[3], out[3], n = 0, m = 0;
  for (int i = 0; i < 3; i++) in[n++] = i;
  while (n > 0) out[m++] = in[--n];
  check(out[--m] == 2);
  return 0;
}
