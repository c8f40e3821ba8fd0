// Up to a bound, and then down.
unsigned char nondet(void);
int main(void) {
  unsigned char x = nondet();
  _Bool up = 1;
  while (up || x > 1)
    if (up && x < 200)
      x++;
    else if (up)
      up = 0;
    else
      x--;
  return 0;
}
