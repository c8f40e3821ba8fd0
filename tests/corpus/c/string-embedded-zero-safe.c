// A zero in the middle ends a string
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
extern unsigned strlen(const char *);
int main(void) {
  char s[] = "ab\0cd";
  check(sizeof s == 6 && s[3] == 'c' && strlen(s) == 2);
  return 0;
}
