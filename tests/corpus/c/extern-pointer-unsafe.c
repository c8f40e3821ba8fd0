// A pointer from elsewhere may be one of ours
// verdict(unreach-call): false
extern void reach_error(void);
extern int *somewhere(void);
int main(void) {
  int x = 0;
  int *p = somewhere();
  if (p == &x) *p = 1;
  if (x) reach_error();
  return 0;
}
