/* semaphore.h, pthread.h: semaphores and mutexes of a program with one thread; where it starts another, it is
   incomplete. What waits for ever ends the path. The first number in the object is the state, as in glibc. */
void __library_incomplete(const char *);
int *__errno_location(void);
void __VERIFIER_assume(int);
enum { EAGAIN = 11, EBUSY = 16, EINVAL = 22, EOVERFLOW = 75, MOST = 0x7fffffff };
static int fail(int error) {
    *__errno_location() = error;
    return -1;
}
int sem_init(unsigned *sem, int shared, unsigned value) {
    if (value > MOST)
        return fail(EINVAL);
    *sem = value;
    return 0;
}
int sem_destroy(unsigned *sem) {
    unsigned value = *sem;
    return 0;
}
int sem_post(unsigned *sem) {
    if (*sem == MOST)
        return fail(EOVERFLOW);
    *sem = *sem + 1;
    return 0;
}
int sem_wait(unsigned *sem) {
    __VERIFIER_assume(*sem > 0);
    *sem = *sem - 1;
    return 0;
}
int sem_trywait(unsigned *sem) {
    if (*sem == 0)
        return fail(EAGAIN);
    *sem = *sem - 1;
    return 0;
}
int sem_getvalue(unsigned *sem, int *to) {
    *to = (int)*sem;
    return 0;
}
int pthread_mutex_init(int *mutex, const void *attributes) {
    if (attributes)
        __library_incomplete("a mutex with attributes");
    *mutex = 0;
    return 0;
}
int pthread_mutex_destroy(int *mutex) {
    if (*mutex)
        __library_incomplete("a mutex that is destroyed while it is locked");
    return 0;
}
int pthread_mutex_lock(int *mutex) {
    if (*mutex)
        __library_incomplete("a mutex that is locked twice");
    *mutex = 1;
    return 0;
}
int pthread_mutex_trylock(int *mutex) {
    if (*mutex)
        return EBUSY;
    *mutex = 1;
    return 0;
}
int pthread_mutex_unlock(int *mutex) {
    if (!*mutex)
        __library_incomplete("a mutex that is unlocked while nobody holds it");
    *mutex = 0;
    return 0;
}
