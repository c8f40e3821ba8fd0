// strlen, strcpy, strcmp, strchr
// verdict(unreach-call): false
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
extern unsigned strlen(const char *);
extern char *strcpy(char *, const char *);
extern int strcmp(const char *, const char *);
extern char *strchr(const char *, int);
int main(void) {
  char a[8];
  strcpy(a, "abc");
  check(strlen(a) == 3 && strcmp(a, "abc") == 0 && strchr(a, 'b') == a + 2);
  return 0;
}
