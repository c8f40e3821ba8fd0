// The outer loop is fine; the inner one resets its counter.
int main(void) {
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; j++)
      if (j == 7) j = 3;
  return 0;
}
