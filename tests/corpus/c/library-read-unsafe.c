// What is read may be anything
// verdict(unreach-call): false
extern long read(int, void *, unsigned long);
int main(void) {
  char buffer[4] = { 1, 1, 1, 1 };
  long n = read(0, buffer, 3);
  assert(n < 1 || buffer[0] == 1);
  return 0;
}
