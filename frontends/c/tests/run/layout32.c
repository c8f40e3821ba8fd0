struct a { char c; long long l; }; struct b { char c; double d; short s; };
typedef int aligned_int __attribute__((aligned(16)));
struct c { char c; aligned_int i; };
#pragma pack(push, 2)
struct d { char c; int i; long long l; };
#pragma pack(pop)
enum big { BIG = 0x100000000LL, NEG = -1 };
static unsigned hash = 1;
static void mix(unsigned long v) { hash = hash * 41u + (unsigned)v; }
int main(void) {
    struct a x; struct b y; struct c z; struct d w;
    mix(sizeof x); mix(sizeof y); mix(sizeof z); mix(sizeof w); mix(__builtin_offsetof(struct b, s)); mix(__alignof__(struct c));
    mix((char *)&x.l - (char *)&x); mix((char *)&w.l - (char *)&w); mix(sizeof(enum big)); mix(sizeof(long double)); mix(sizeof(void *));
    long l = -1; unsigned int u = 1; mix(l < u); mix(l > 0u); mix((l + u) == 0); mix(sizeof(4000000000)); mix(4000000000 > 0);
    mix(2147483648 < 0); mix(-2147483648 < 0); mix(0x80000000 < 0); mix(1u - 2 > 0); mix((long)4294967295u < 0);
    mix(sizeof(sizeof(int))); mix(sizeof(&x - &x)); mix('a' * 1000000000L < 0);
    return hash & 0x7f;
}
