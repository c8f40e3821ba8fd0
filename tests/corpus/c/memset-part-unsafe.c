// Half of a number is cleared
// verdict(unreach-call): false
extern void reach_error(void);
extern void *memset(void *, int, unsigned);
int main(void) {
  int x = 0x12345678;
  memset(&x, 0, 2);
  if (x == 0x12340000) reach_error();
  return 0;
}
