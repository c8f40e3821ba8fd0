// A digit that the base does not have ends the number
// verdict(unreach-call): false
extern unsigned __VERIFIER_nondet_uint(void);
extern long strtol(const char *, char **, int);
int main(void) {
  unsigned d = __VERIFIER_nondet_uint() % 10;
  char text[3] = { '1', '0' + d, 0 };
  assert(strtol(text, 0, 8) == 8 + d);
  return 0;
}
