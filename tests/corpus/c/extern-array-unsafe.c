// An array that is defined elsewhere holds anything
// verdict(unreach-call): false
extern void reach_error(void);
extern int elsewhere[4];
int main(void) {
  int *p = elsewhere;
  if (p[1] == 42) reach_error();
  return 0;
}
