/* errno.h */
int *__errno_location(void) { static int __library_errno; return &__library_errno; }
