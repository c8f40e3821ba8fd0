// A string that does not fit
// verdict(valid-deref): false at 6:3
extern char *strcpy(char *, const char *);
int main(void) {
  char a[4];
  strcpy(a, "abcd");
  return a[0] == 'a';
}
