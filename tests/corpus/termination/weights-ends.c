// Neither falls all the time, nor does their sum: five of one and two of the other do.
int nondet(void);
int main(void) {
  int x = nondet(), y = nondet();
  if (x > 1000 || y > 1000) return 0;
  while (x >= 0 && y >= 0 && x < 10000 && y < 10000)
    if (nondet()) {
      x -= 1;
      y += 2;
    } else {
      x += 1;
      y -= 3;
    }
  return 0;
}
