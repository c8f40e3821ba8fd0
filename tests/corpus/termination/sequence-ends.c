// Loops one after the other.
int main(void) {
  unsigned char i = 0, j = 10;
  while (i < 10) i++;
  while (j > 0) j--;
  for (int k = 0; k < 100; k += 3) {}
  return 0;
}
