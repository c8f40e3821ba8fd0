// The counter changes for ever, and nobody asks.
int main(void) {
  unsigned long rounds = 0;
  while (1) rounds++;
}
