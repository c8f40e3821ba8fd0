// A lock is taken and released in turn
// verdict(unreach-call): false
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int lock;
static void acquire(void) { check(lock == 0); lock = 1; }
static void release(void) { check(lock == 1); lock = 0; }
int main(void) {
  while (__VERIFIER_nondet_bool()) {
    acquire();
    if (__VERIFIER_nondet_bool()) continue;
    release();
  }
  return 0;
}
