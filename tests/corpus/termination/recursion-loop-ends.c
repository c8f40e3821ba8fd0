// A loop that calls a function that calls itself in a loop.
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned seen;

static void visit(unsigned depth, unsigned width) {
  seen++;
  for (unsigned i = 0; i < width && depth > 0; i++) visit(depth - 1, width);
}

int main(void) {
  unsigned width = __VERIFIER_nondet_uchar();
  for (unsigned depth = 0; depth < 10; depth++) visit(depth, width);
  return 0;
}
