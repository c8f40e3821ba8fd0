// Fall-through of switch cases
// verdict(unreach-call): true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
static int weight(int k) {
  int w = 0;
  switch (k) {
  case 3: w += 4; /* falls through */
  case 2: w += 2; 
  case 1: w += 1; break;
  default: w = -1;
  }
  return w;
}
int main(void) {
  int k = __VERIFIER_nondet_int();
  int w = weight(k);
  if (k == 3) check(w == 7);
  if (k > 3) check(w == -1);
  return 0;
}
