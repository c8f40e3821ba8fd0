// No unsigned number is less than zero.
int main(void) {
  for (unsigned char i = 3; i >= 0; i--) {}
  return 0;
}
