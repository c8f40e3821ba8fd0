// An object that may be anything
// verdict(unreach-call): false
int main(void) {
  struct { int x, y; } s = { 1, 2 };
  __CPROVER_havoc_object(&s.x);
  __CPROVER_precondition(s.y == 2, "the whole object has changed");
  return 0;
}
