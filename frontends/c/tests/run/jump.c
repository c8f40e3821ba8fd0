typedef struct { long room[32]; } jmp_buf[1];
int _setjmp(jmp_buf) __attribute__((returns_twice)); void longjmp(jmp_buf, int) __attribute__((noreturn));
static unsigned hash = 11;
static void mix(unsigned long v) { hash = hash * 33u + (unsigned)v; }
static jmp_buf outer, inner;
static void thrower(int n) { if (n == 0) longjmp(outer, 5); mix(n); thrower(n - 1); mix(100); }
static int divide(int a, int b) { if (b == 0) longjmp(inner, 0); return a / b; }
static int guarded(int a, int b) {
    if (_setjmp(inner)) { mix(77); return -1; }
    return divide(a, b);
}
static void nested(void) {
    jmp_buf mine; volatile int tries = 0;
    int r = _setjmp(mine);
    mix(r);
    if (tries < 3) { tries++; longjmp(mine, tries + 10); }
    longjmp(outer, 9);
}
static int many(void) {
    static jmp_buf all[3]; volatile int i, seen = 0;
    for (i = 0; i < 3; i++)
        if (_setjmp(all[i])) { seen++; mix(200 + seen); break; }
    if (seen < 2) longjmp(all[seen], 1);
    return seen;
}
int main(void) {
    mix(many());
    volatile int rounds = 0;
    switch (_setjmp(outer)) {
    case 0: mix(0); thrower(3); mix(1000); break;
    case 5: mix(5); mix(guarded(7, 2)); mix(guarded(7, 0)); nested(); mix(1001); break;
    case 9: mix(9); break;
    default: mix(1002);
    }
    for (int i = 0; i < 3; i++) {
        if (!_setjmp(outer)) { if (i == 1) longjmp(outer, i); mix(i); }
        else { rounds++; mix(50 + rounds); }
    }
    return hash % 251;
}
