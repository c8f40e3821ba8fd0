/* fenv.h: the direction of rounding, which operations read here, as x86 numbers it. */
static int __library_rounding;
int fegetround(void) { return __library_rounding; }
int fesetround(int direction) {
    if (direction & ~0xc00)
        return 1;
    __library_rounding = direction;
    return 0;
}
