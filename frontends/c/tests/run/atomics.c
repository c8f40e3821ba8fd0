/* Atomic operations in a program with one thread. */
#include <stdatomic.h>
static _Atomic int counter;
static atomic_flag flag = ATOMIC_FLAG_INIT;
struct s { unsigned char b; long long l; } s = {250, -1};
int main(void) {
  atomic_int x = ATOMIC_VAR_INIT(0);
  if (atomic_fetch_add(&x, 3) != 0) return 1;
  x++;
  if (atomic_load(&x) != 4) return 2;
  int e = 5;
  if (atomic_compare_exchange_strong(&x, &e, 9) || e != 4) return 3;
  if (!atomic_compare_exchange_strong(&x, &e, 9) || x != 9) return 4;
  atomic_store(&x, 7);
  if (atomic_exchange(&x, 8) != 7 || x != 8) return 5;
  if (atomic_flag_test_and_set(&flag) || !atomic_flag_test_and_set(&flag)) return 6;
  atomic_flag_clear(&flag);
  if (atomic_flag_test_and_set(&flag)) return 7;
  if (__sync_fetch_and_add(&s.b, 10) != 250 || s.b != 4) return 8;
  if (__sync_sub_and_fetch(&s.l, 1) != -2) return 9;
  if (__atomic_fetch_nand(&s.b, 6, __ATOMIC_SEQ_CST) != 4 || s.b != (unsigned char)~4) return 10;
  if (__atomic_and_fetch(&s.b, 3, __ATOMIC_RELAXED) != 3 || __sync_fetch_and_and(&s.b, 1) != 3) return 11;
  if (__sync_val_compare_and_swap(&s.b, 1, 2) != 1 || __sync_bool_compare_and_swap(&s.b, 1, 3)) return 12;
  if (__atomic_load_n(&s.b, __ATOMIC_ACQUIRE) != 2) return 13;
  struct s t, u = {1, 2};
  int *p = 0, y = 3;
  __atomic_store_n(&p, &y, __ATOMIC_RELEASE);
  if (*__atomic_exchange_n(&p, 0, __ATOMIC_SEQ_CST) != 3 || p) return 14;
  __sync_synchronize();
  atomic_thread_fence(memory_order_seq_cst);
  t = u;
  return t.b + t.l == 3 && atomic_fetch_or(&counter, 6) == 0 && counter == 6 ? 0 : 15;
}
