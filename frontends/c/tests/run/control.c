void *malloc(unsigned long);
static unsigned hash = 9;
static void mix(unsigned v) { hash = hash * 37u + v; }
static int depth;
static int even(int n); static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int order[4], at;
static int note(int v) { order[at++ & 3] = v; return v; }
static int three(int a, int b, int c) { return a * 100 + b * 10 + c; }
old(a, b) char a; short b; { return a + b; }
static int classify(int c) {
    switch (c) {
        int hidden;
    case 'a' ... 'f': return 1;
    case 10: case 13: hidden = 4; return hidden;
    default: if (c < 0) { case 200: return 2; } return 3;
    }
}
static int weird(int n) {
    int r = 0;
    goto inside;
    while (n > 0) { r += 100; inside: r += n; n--; }
    return r;
}
static int duff(int count) {
    int n = (count + 3) / 4, r = 0;
    switch (count % 4) { case 0: do { r++; case 3: r++; case 2: r++; case 1: r++; } while (--n > 0); }
    return r;
}
struct ops { int (*open)(int); void (*close)(void); };
static int opened; static int do_open(int x) { opened = x; return 1; } static void do_close(void) { opened = -1; }
static struct ops table = { do_open, .close = do_close };
static void rec(int n) { int local = n; int *p = &local; if (n > 0) { rec(n - 1); } depth += *p; }
int main(void) {
    mix(even(6)); mix(ack(2, 2)); mix(three(note(1), note(2), note(3))); mix(order[0]); mix(order[2]);
    mix(note(4) + note(5)); mix(order[3]); mix(old(300, 70000));
    mix(classify('c')); mix(classify(13)); mix(classify(-3)); mix(classify(200)); mix(classify(50));
    mix(weird(4)); mix(duff(7)); mix(duff(8));
    mix(table.open(5)); mix(opened); (*table.close)(); mix(opened); struct ops *o = &table; mix((*o->open)(8)); mix(opened);
    rec(4); mix(depth);
    int a[3] = { 0 }; int i = 0; a[i++] = i; a[i] += 5; mix(a[0]); mix(a[1]); mix(i);
    for (i = 0;; i++) { if (i > 3) goto out; for (int j = 0; j < 3; j++) { if (j == i) break; mix(i * 10 + j); } } out:
    mix(i); i = 5; if (i > 3) if (i > 7) mix(1); else mix(2);
    int x = 3; { int x = 4; { extern int g; int x = g; mix(x); } mix(x); } mix(x);
    int v = ({ int t = 0; for (int k = 1; k < 5; k++) t += k; t; }); mix(v);
    int k = 0; int t = (k++, k++, k); mix(t); mix(k == 2 && ++k == 3 && k++ == 9 || k == 4); mix(k);
    return hash & 0x7f;
}
int g = 21;
