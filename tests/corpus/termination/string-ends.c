// Up to the terminator, which is there.
int nondet(void);
int main(void) {
  char text[6];
  int n = 0;
  text[5] = 0;
  while (n < 5 && text[n] != 0) n++;
  return n;
}
