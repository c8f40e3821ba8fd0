// Whoever fails an assertion, exits or aborts, is done.
extern void abort(void);
extern void exit(int);
int nondet(void);
int main(void) {
  while (1) {
    if (nondet() == 0) abort();
    exit(1);
  }
}
