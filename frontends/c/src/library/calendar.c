/* time.h: dates. Which one belongs to a time is not computed: they are any that a calendar has. */
typedef unsigned long size;
int *__errno_location(void);
int __library_any_int(void);
long __library_any_long(void);
char __library_any_char(void);
void __VERIFIER_assume(int);
struct date { int second, minute, hour, day, month, year, weekday, yearday, summer; long offset; const char *zone; };
static int within(int low, int high) {
    int n = __library_any_int();
    __VERIFIER_assume(low <= n && n <= high);
    return n;
}
static struct date *fill(struct date *to) {
    if (__library_any_int()) {
        *__errno_location() = __library_any_int();
        return 0;
    }
    to->second = within(0, 60);
    to->minute = within(0, 59);
    to->hour = within(0, 23);
    to->day = within(1, 31);
    to->month = within(0, 11);
    to->year = __library_any_int();
    to->weekday = within(0, 6);
    to->yearday = within(0, 365);
    to->summer = within(-1, 1);
    to->offset = within(-86400, 86400);
    to->zone = "UTC";
    return to;
}
static struct date *shown(const long *time) {
    static struct date date;
    long t = *time;
    return fill(&date);
}
struct date *gmtime(const long *time) { return shown(time); }
struct date *localtime(const long *time) { return shown(time); }
struct date *gmtime_r(const long *time, struct date *to) {
    long t = *time;
    return fill(to);
}
struct date *localtime_r(const long *time, struct date *to) {
    long t = *time;
    return fill(to);
}
long mktime(struct date *date) {
    int year = date->year;
    long time = __library_any_long();
    if (!fill(date))
        return -1;
    __VERIFIER_assume(-0x10000000000 <= time && time <= 0xffffffffffL);
    return time;
}
static char *text(char *to) {
    for (int i = 0; i < 24; i++) {
        char c = __library_any_char();
        __VERIFIER_assume(c != 0);
        to[i] = c;
    }
    to[24] = '\n';
    to[25] = 0;
    return to;
}
static char *kept(void) {
    static char date[26];
    return text(date);
}
char *asctime(const struct date *date) {
    int year = date->year;
    return __library_any_int() ? kept() : 0;
}
char *ctime(const long *time) {
    long t = *time;
    return __library_any_int() ? kept() : 0;
}
char *asctime_r(const struct date *date, char *to) {
    int year = date->year;
    return text(to);
}
char *ctime_r(const long *time, char *to) {
    long t = *time;
    return text(to);
}
size strftime(char *to, size most, const char *format, const struct date *date) {
    int year = date->year;
    for (size i = 0; format[i]; i++)
        ;
    size n = __library_any_long();
    __VERIFIER_assume(n < most || n == 0);
    /* Where it does not fit, what is written is anything. */
    for (size i = 0; i < (n ? n : most); i++)
        to[i] = __library_any_char();
    if (n < most && (n > 0 || __library_any_int()))
        to[n] = 0;
    return n;
}
