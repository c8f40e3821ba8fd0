// A string that does not fit
// verdict(valid-deref): true
extern char *strcpy(char *, const char *);
int main(void) {
  char a[4];
  strcpy(a, "abc");
  return a[0] == 'a';
}
