// The call that would go on for ever never happens: what returns has changed the global.
extern int __VERIFIER_nondet_int(void);

static int open = 1;

static void once(void) {
  if (open) {
    open = 0;
    once();
  }
}

int main(void) {
  once();
  while (open) {
  }
  return 0;
}
