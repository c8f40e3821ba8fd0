static unsigned hash = 13;
static void mix(unsigned v) { hash = hash * 33u + v; }
static void drop(int *p) { mix(*p); *p = -1; }
static void drop_any(void *p) { mix(1000 + *(int *)p); }
#define DROP __attribute__((cleanup(drop)))
static int early(int n) {
    int a DROP = n;
    if (n > 2) { int b DROP = 10 * n; if (n > 3) return a + b; mix(5); }
    a++;
    return a;
}
static int loop(void) {
    int sum = 0;
    for (int i = 0; i < 5; i++) {
        DROP int x = i;
        if (i == 1) continue;
        if (i == 3) break;
        sum += x;
    }
    while (1) { int y __attribute__((cleanup(drop_any))) = sum; switch (y) { case 2: mix(77); break; default: mix(78); } break; }
    return sum;
}
int main(void) {
    mix(early(1)); mix(early(3)); mix(early(4)); mix(loop());
    { int first DROP = 1, second DROP = 2; mix(first + second); }
    switch (hash % 2) { case 0: { int z DROP = 8; break; } case 1: { int z DROP = 9; break; } }
    return hash % 251;
}
