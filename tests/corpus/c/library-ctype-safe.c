// Classes of characters without a header
// verdict(unreach-call): true
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char c = __VERIFIER_nondet_char();
  if (isdigit(c))
    assert(!isalpha(c) && isalnum(c) && isxdigit(c));
  if (isupper(c))
    assert(toupper(tolower(c)) == c && tolower(c) != c);
  return 0;
}
