// Digits and the number they stand for
// verdict(unreach-call): true
extern unsigned __VERIFIER_nondet_uint(void);
extern long strtol(const char *, char **, int);
int main(void) {
  unsigned d = __VERIFIER_nondet_uint() % 10;
  char text[4] = { '-', '0' + d, 'x', 0 };
  char *end;
  assert(strtol(text, &end, 10) == -(long)d && *end == 'x');
  return 0;
}
