// The rounds between two steps of one number grow with it: no state comes back for a long time.
int main(void) {
  unsigned long x = 1, y = 0;
  while (x >= y)
    if (y < x) y++;
    else {
      x++;
      y = 0;
    }
  return 0;
}
