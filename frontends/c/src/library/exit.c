/* stdlib.h: functions that run when the program ends, the last one first. lower::lifecycle calls the two at the end. */
typedef void handler(void);
void __library_incomplete(const char *);
static handler *last[32], *quick[32];
static int lasts, quicks;
int atexit(handler *f) {
    if (lasts == 32)
        __library_incomplete("more than 32 functions that atexit registers");
    last[lasts] = f;
    lasts++;
    return 0;
}
int at_quick_exit(handler *f) {
    if (quicks == 32)
        __library_incomplete("more than 32 functions that at_quick_exit registers");
    quick[quicks] = f;
    quicks++;
    return 0;
}
static void __library_at_exit(void) {
    while (lasts > 0) {
        lasts--;
        last[lasts]();
    }
}
static void __library_at_quick_exit(void) {
    while (quicks > 0) {
        quicks--;
        quick[quicks]();
    }
}
