// Signed multiplication in a loop
// verdict(no-overflow): false at 6:9
int main(void) {
  int p = 1;
  for (int i = 0; i < 31; i++)
    p = p * 2;
  return p > 0;
}
