/* What runs before main, in order: by priority, then as defined. */
static int order;
__attribute__((constructor)) static void fourth(void) { order = order * 10 + 4; }
__attribute__((constructor(200))) void third(void) { order = order * 10 + 3; }
__attribute__((constructor)) void fifth(void) { order = order * 10 + 5; }
__attribute__((constructor(101))) static void first(void) { order = order * 10 + 1; }
static void second(void) __attribute__((constructor(101)));
static void second(void) { order = order * 10 + 2; }
int main(void) { return order == 12345 ? 0 : 1; }
