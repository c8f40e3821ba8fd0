// No more bytes come than were asked for
// verdict(unreach-call): true
extern long read(int, void *, unsigned long);
int main(void) {
  char buffer[4] = { 1, 1, 1, 1 };
  long n = read(0, buffer, 3);
  assert(n <= 3 && buffer[3] == 1);
  return 0;
}
