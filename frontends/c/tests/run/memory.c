typedef unsigned long size_t;
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t); void *memmove(void *, const void *, size_t);
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *); char *strcpy(char *, const char *); int strcmp(const char *, const char *);
char *strncpy(char *, const char *, size_t); char *strcat(char *, const char *); char *strchr(const char *, int);
char *strrchr(const char *, int); int strncmp(const char *, const char *, size_t);
static unsigned hash = 5;
static void mix(unsigned v) { hash = hash * 33u + v; }
struct node { int value; struct node *next; };
struct packed { char a; int b : 5; unsigned c : 11; long d; } __attribute__((packed));
union pun { unsigned u; unsigned char b[4]; float f; };
struct pair { int x, y; };
struct deep { struct pair p[3]; char name[6]; struct { int in; }; };
int table[4] = { 1, 2, [3] = 9 };
struct deep global = { .p = { [1] = { 5, 6 } }, .name = "abc", .in = 77 };
char text[] = "hello" " world";
const char *words[] = { "one", "two", "three" };
int matrix[2][3] = { { 1, 2, 3 }, { 4, 5 } };
static int counter(void) { static int n = 10; return n++; }
static struct pair make(int a, int b) { struct pair p = { a, b }; return p; }
static int sum(struct pair p) { p.x += 1; return p.x * 10 + p.y; }
static int total(int *a, int n) { int s = 0; while (n-- > 0) s += *a++; return s; }
static int fact(int n) { int *p = &n; return n <= 1 ? 1 : *p * fact(n - 1); }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static int apply(int (*f)(int), int x) { return f(x); }
int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 4; i++) { struct node *n = malloc(sizeof *n); n->value = i * i; n->next = head; head = n; }
    for (struct node *n = head; n; n = n->next) mix(n->value);
    while (head) { struct node *n = head->next; free(head); head = n; }
    struct packed p; p.a = 'x'; p.b = -3; p.c = 1025; p.d = -9; mix(p.b); mix(p.c); mix(p.d); mix(sizeof p);
    struct packed *pp = &p; pp->b = 20; pp->c += 5; mix(pp->b); mix(pp->c); mix(p.a); mix(pp->b++); mix(--pp->c);
    union pun u; u.u = 0x01020304; mix(u.b[0]); mix(u.b[3]); u.b[1] = 0xff; mix(u.u); u.f = 1.0f; mix(u.u);
    mix(table[0]); mix(table[2]); mix(table[3]); mix(global.p[1].y); mix(global.p[2].x); mix(global.name[2]); mix(global.in);
    mix(strlen(text)); mix(sizeof text); mix(text[6]); mix(words[2][1]); mix(strcmp(words[0], words[1]) < 0);
    mix(matrix[1][1]); mix(matrix[1][2]); mix(counter()); mix(counter());
    struct pair a = make(3, 4), b = a; b.y = 8; mix(sum(a)); mix(sum(b)); mix(a.x); mix(make(1, 2).y);
    struct pair *ap = &a; *ap = b; mix(a.y); mix(sum(*ap));
    int arr[5] = { 5, 4, 3 }; mix(total(arr, 5)); mix(total(arr + 1, 2)); swap(&arr[0], &arr[2]); mix(arr[0] * 10 + arr[2]);
    int loc[4]; for (int i = 0; i < 4; i++) loc[i] = i * 3; mix(loc[3] - loc[1]);
    struct pair ps[3]; for (int i = 0; i < 3; i++) { ps[i].x = i; ps[i].y = -i; } mix(ps[2].x - ps[1].y);
    mix(fact(5)); mix(apply(twice, 7)); mix(apply(thrice, 7));
    int (*f[2])(int) = { twice, thrice }; mix(f[1](5) + f[0](1));
    char buf[16]; strcpy(buf, "abc"); strcat(buf, "def"); mix(strlen(buf)); mix(buf[4]); strncpy(buf, "zz", 4); mix(buf[1]); mix(buf[3]); mix(buf[4]);
    mix(strchr("banana", 'n') - "banana" != 0); char *s = "banana"; mix(strrchr(s, 'n') - s); mix(strncmp("abx", "aby", 2)); mix(strchr(s, 'q') == 0);
    int src[3] = { 1, 2, 3 }, dst[3]; memcpy(dst, src, sizeof src); mix(dst[2]); memset(dst, 1, sizeof dst); mix(dst[0]);
    memmove(src + 1, src, 2 * sizeof(int)); mix(src[1] * 10 + src[2]); mix(memcmp(src, dst, 4) < 0);
    int *z = calloc(3, sizeof(int)); mix(z[2]); z[1] = 6; z = realloc(z, 8 * sizeof(int)); mix(z[1]); free(z);
    int n = 3; int vla[n + 1]; for (int i = 0; i <= n; i++) vla[i] = i; mix(sizeof vla / sizeof vla[0]); mix(vla[n]);
    int grid[n][2]; grid[2][1] = 7; mix(*(&grid[0][0] + 5)); mix(sizeof grid[0]);
    int *q = (int[]){ 7, 8, 9 }; mix(q[2]); mix((struct pair){ .y = 3 }.y);
    char *cp = (char *)&n; mix(cp[0]); long addr = (long)&n; mix(*(int *)addr); mix(&arr[4] - &arr[1]); mix(&arr[1] < &arr[2]);
    struct { unsigned a : 3, : 2, b : 4; int : 0; int c : 7; } bits = { 9, 5, -1 }; mix(bits.a); mix(bits.b); mix(bits.c); mix(sizeof bits);
    bits.b = bits.a + 20; mix(bits.b); mix(bits.c < 0);
    void *vp = &a; mix(((struct pair *)vp)->x); mix(*(int *)((char *)vp + 4)); mix(vp != 0);
    short sh[2] = { -1, 300 }; mix(*(unsigned short *)sh); mix(((char *)sh)[3]);
    return hash & 0x7f;
}
