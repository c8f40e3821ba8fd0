/* time.h, unistd.h, stdlib.h: clocks show any time until the year 36812. */
int __library_any_int(void);
long __library_any_long(void);
void __VERIFIER_assume(int);
struct pair { long seconds, parts; };
static long now(void) {
    long time = __library_any_long();
    __VERIFIER_assume(-1 <= time && time <= 0xffffffffffL);
    return time;
}
static int show(struct pair *to, long parts) {
    if (__library_any_int())
        return -1;
    long seconds = now(), rest = __library_any_long();
    __VERIFIER_assume(0 <= rest && rest < parts);
    to->seconds = seconds;
    to->parts = rest;
    return 0;
}
long time(long *to) {
    long time = now();
    if (to)
        *to = time;
    return time;
}
long clock(void) { return now(); }
int clock_gettime(int which, struct pair *to) { return show(to, 1000000000); }
static unsigned slept(unsigned seconds) {
    unsigned left = __library_any_int();
    __VERIFIER_assume(left <= seconds);
    return left;
}
unsigned sleep(unsigned seconds) { return slept(seconds); }
unsigned _sleep(unsigned seconds) { return slept(seconds); }
int usleep(unsigned microseconds) { return __library_any_int() ? -1 : 0; }
int nanosleep(const struct pair *wanted, struct pair *left) {
    long seconds = wanted->seconds, parts = wanted->parts;
    if (!__library_any_int())
        return 0;
    if (left) {
        left->seconds = __library_any_long();
        left->parts = __library_any_long();
        __VERIFIER_assume(0 <= left->seconds && left->seconds <= seconds && 0 <= left->parts && left->parts < 1000000000);
    }
    return -1;
}
int gettimeofday(struct pair *to, void *zone) { return show(to, 1000000); }
int rand_r(unsigned *seed) {
    *seed = __library_any_int();
    int number = __library_any_int();
    __VERIFIER_assume(number >= 0);
    return number;
}
