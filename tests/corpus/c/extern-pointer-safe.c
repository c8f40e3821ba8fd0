// A pointer from elsewhere that is none of ours
// verdict(unreach-call): true
extern void reach_error(void);
extern int *somewhere(void);
int main(void) {
  int x = 0;
  int *p = somewhere();
  if (p == &x) p = 0;
  if (p) *p = 1;
  if (x) reach_error();
  return 0;
}
