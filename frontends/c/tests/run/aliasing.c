/* Every way in which one object is reached by two names: what is written by one is read by the other. */
#include <stddef.h>
#include <stdint.h>

void *malloc(size_t);
void *realloc(void *, size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
size_t strlen(const char *);
char *strcpy(char *, const char *);
char *strchr(const char *, int);

union word { int *p; uintptr_t i; unsigned char c[sizeof(int *)]; };
struct tagged { int k; union word u; };
struct front { intptr_t n; int *p; };
struct back { int *p; intptr_t n; };
union two { struct front f; struct back b; };
struct node { struct node *next; int v; };
struct inner { struct inner *next; };
struct outer { int a; struct inner in; int b; };
struct parts { uint64_t lo : 32; uint64_t hi : 32; };
struct pair { int *p; long k; };
typedef int (*setter)(int *, int);

static int *kept;
static int other;

static int union_to_integer(void) {
    int x = 0;
    union word u;
    u.p = &x;
    *(int *)u.i = 5;
    return x == 5;
}

static int union_in_struct(void) {
    int x = 0;
    struct tagged s;
    s.u.p = &x;
    *(int *)s.u.i = 5;
    return x == 5;
}

static int union_from_integer(void) {
    int x = 0;
    union word u;
    u.i = (uintptr_t)&x;
    *u.p = 6;
    return x == 6;
}

static union word same(union word u) { return u; }

static int union_by_value(void) {
    int x = 0;
    union word u;
    u.p = &x;
    *(int *)same(u).i = 4;
    return x == 4;
}

static int union_by_bytes(void) {
    int x = 0;
    union word u, w;
    u.p = &x;
    for (unsigned i = 0; i < sizeof u.c; i++) w.c[i] = u.c[i];
    *w.p = 4;
    *(int *)w.i += 1;
    return x == 5;
}

static int union_of_structs(void) {
    int x = 0;
    union two t;
    t.f.n = (intptr_t)&x;
    *t.b.p = 5;
    return x == 5;
}

static int part_of_a_number(unsigned n, int want) {
    int x = 0x12345678;
    memset(&x, 0, n);
    return x == want;
}

static int constant_part_of_a_number(void) {
    int x = 0x12345678;
    memset(&x, 0, 2);
    return x == 0x12340000;
}

static int part_of_a_struct(void) {
    struct back s = {&other, 0x1111};
    memset(&s.n, 0, 1);
    return s.n == 0x1100 && s.p == &other;
}

static int bytes_of_a_pointer(void) {
    int x = 0;
    int *p = &x, *q;
    for (unsigned i = 0; i < sizeof p; i++) ((char *)&q)[i] = ((char *)&p)[i];
    *q = 5;
    return x == 5;
}

static int buffer_as_struct(void) {
    int x = 0;
    _Alignas(16) unsigned char b[64];
    struct back *s = (struct back *)b;
    s->p = &x;
    **(int **)b = 5;
    return x == 5;
}

static int struct_off_its_grid(void) {
    int x = 0;
    _Alignas(16) unsigned char b[64];
    struct front *s = (struct front *)b;
    struct front *t = (struct front *)(b + sizeof(intptr_t));
    s->p = &x;
    *(int *)t->n = 5;
    return x == 5;
}

static void set_through(struct pair s, int v) { *s.p = v; }
static struct pair make_pair(int *p) { struct pair s = {p, 1}; return s; }

static int struct_by_value(void) {
    int x = 0;
    set_through(make_pair(&x), 5);
    return x == 5;
}

static int array[4];
static int *somewhere(int k) { return k ? array : array + 2; }

static int inside_an_array(void) {
    int *p = somewhere(0);
    p[-1] = 7;
    return array[1] == 7;
}

static int moved_by_realloc(void) {
    struct node *n = malloc(sizeof *n);
    n->v = 3;
    n->next = 0;
    n = realloc(n, 2 * sizeof *n);
    n[1].v = 4;
    n[1].next = n;
    int ok = n->v == 3 && n[1].next->v == 3;
    free(n);
    return ok;
}

static int copied_by_memcpy(void) {
    int x = 0, y = 0;
    struct pair s = {&x, 1}, t;
    memcpy(&t, &s, sizeof s);
    *t.p = 5;
    uintptr_t z;
    int *w = &y;
    memcpy(&z, &w, sizeof z);
    *(int *)z = 6;
    return x == 5 && y == 6;
}

static int moved_within(void) {
    int x = 0, y = 0;
    int *a[3] = {&x, &y, 0};
    memmove(a + 1, a, 2 * sizeof *a);
    *a[1] = 1;
    *a[2] = 2;
    return x == 1 && y == 2;
}

static int put(int *p, int v) { *p = v; return 1; }
static int put_next(int *p, int v) { *p = v + 1; return 2; }

static int by_function_pointer(void) {
    setter t[2] = {put, put_next};
    int x = 0, y = 0;
    t[0](&x, 5);
    t[1](&y, 5);
    int before = y;
    void *v = (void *)put;
    ((setter)v)(&y, 9);
    return x == 5 && before == 6 && y == 9;
}

static int xor_of_two(void) {
    int x = 1, y = 2;
    uintptr_t k = (uintptr_t)&x ^ (uintptr_t)&y;
    *(int *)(k ^ (uintptr_t)&x) = 7;
    return x == 1 && y == 7;
}

static int tag_in_low_bit(void) {
    struct node a = {0, 1}, b = {0, 2};
    a.next = (struct node *)((uintptr_t)&b | 1);
    struct node *q = (struct node *)((uintptr_t)a.next & ~(uintptr_t)1);
    q->v = 9;
    return b.v == 9;
}

static int around_a_member(void) {
    struct outer o = {1, {0}, 3};
    struct inner *l = &o.in;
    struct outer *p = (struct outer *)((char *)l - offsetof(struct outer, in));
    p->a = 4;
    p->b = 8;
    return o.a == 4 && o.b == 8;
}

static int members_by_address(void) {
    struct outer o = {1, {0}, 3};
    int *a = &o.a, *b = &o.b;
    *a = 5;
    *b = *a + 1;
    struct outer c = o;
    return o.a == 5 && c.b == 6;
}

static void set_pointer(int **pp, int *v) { *pp = v; }

static int pointer_to_pointer(void) {
    int x = 0;
    int *p = 0;
    set_pointer(&p, &x);
    *p = 3;
    return x == 3;
}

static int halves_in_bit_fields(void) {
    int x = 0;
    uint64_t u = (uintptr_t)&x;
    struct parts b;
    b.lo = u;
    b.hi = u >> 32;
    *(int *)(uintptr_t)((uint64_t)b.lo | ((uint64_t)b.hi << 32)) = 4;
    return x == 4;
}

static int rows_and_elements(void) {
    static int a[3][2] = {{1, 2}, {3}};
    int(*p)[2] = a;
    int *q = &a[0][0];
    q[3] = 9;
    return p[1][1] == 9 && p[2][0] == 0 && p[1][0] == 3;
}

static int other_widths(void) {
    int a[2] = {0x11112222, 0x33334444};
    short *s = (short *)a;
    s[1] = 0x5555;
    unsigned char *c = (unsigned char *)(a + 1);
    c[3] = 0x77;
    return a[0] == 0x55552222 && a[1] == 0x77334444;
}

static int old_style(p) int *p; { *p = 3; return 0; }

static int without_prototype(void) {
    int x = 0;
    old_style(&x);
    return x == 3;
}

static void keep(int *p) { kept = p; }

static int parameter(int a) {
    keep(&a);
    *kept = 7;
    return a == 7;
}

static int product(int n, int *out) {
    int r;
    if (n <= 1) { *out = 1; return 0; }
    product(n - 1, &r);
    *out = n * r;
    return 0;
}

static int locals_of_recursion(void) {
    int v;
    product(5, &v);
    return v == 120;
}

static int strings(void) {
    char b[8];
    char *p = b;
    strcpy(p, "abc");
    char *q = strchr(b, 'c');
    *q = 'd';
    size_t n = strlen(b) + strlen("xy");
    return b[2] == 'd' && n == 5;
}

static int number_in_a_list(void) {
    int x = 0;
    struct { uintptr_t v; struct node *n; } cell = {(uintptr_t)&x, 0};
    *(int *)cell.v = 8;
    return x == 8 && cell.n == 0;
}

static int one_of_two(int c) {
    int x = 0, y = 0;
    *(c ? &x : &y) = 5;
    int *p = c ? 0 : &y;
    if (p) *p += 1;
    return c ? x == 5 && y == 0 : x == 0 && y == 6;
}

static int statement_value(void) {
    int x = 0;
    int *p = ({ int *t = &x; t; });
    *p = 3;
    struct pair s = ({ struct pair t = {&x, 2}; t; });
    *s.p += 1;
    return x == 4;
}

static int first_member(void) {
    struct outer o = {1, {0}, 2};
    int *p = (int *)&o;
    *p = 6;
    return o.a == 6;
}

static int up_to_one_past_the_end(void) {
    static struct outer t[5];
    int a[10], n = 0;
    for (int *p = a, *end = &a[10]; p != end; p++) *p = n++;
    for (struct outer *p = t, *end = &t[5]; p < end; p++) p->a = n++;
    return a[9] == 9 && t[4].a == 14;
}

static int past_declarations(int k) {
    switch (k) {
        int x;
    case 1:
        put(&x, 4);
        return x == 4;
    }
    goto end;
    int y;
end:
    put(&y, 5);
    return y == 5;
}

int main(void) {
    int n = 0;
#define TRY(e) do { n++; if (!(e)) return n; } while (0)
    TRY(union_to_integer());
    TRY(union_in_struct());
    TRY(union_from_integer());
    TRY(union_by_value());
    TRY(union_by_bytes());
    TRY(union_of_structs());
    TRY(part_of_a_number(0, 0x12345678));
    TRY(part_of_a_number(1, 0x12345600));
    TRY(part_of_a_number(3, 0x12000000));
    TRY(part_of_a_number(4, 0));
    TRY(constant_part_of_a_number());
    TRY(part_of_a_struct());
    TRY(bytes_of_a_pointer());
    TRY(buffer_as_struct());
    TRY(struct_off_its_grid());
    TRY(struct_by_value());
    TRY(inside_an_array());
    TRY(moved_by_realloc());
    TRY(copied_by_memcpy());
    TRY(moved_within());
    TRY(by_function_pointer());
    TRY(xor_of_two());
    TRY(tag_in_low_bit());
    TRY(around_a_member());
    TRY(members_by_address());
    TRY(pointer_to_pointer());
    TRY(halves_in_bit_fields());
    TRY(rows_and_elements());
    TRY(other_widths());
    TRY(without_prototype());
    TRY(parameter(1));
    TRY(locals_of_recursion());
    TRY(strings());
    TRY(number_in_a_list());
    TRY(one_of_two(0) && one_of_two(1));
    TRY(statement_value());
    TRY(first_member());
    TRY(up_to_one_past_the_end());
    TRY(past_declarations(1) && past_declarations(2));
    return 0;
}
