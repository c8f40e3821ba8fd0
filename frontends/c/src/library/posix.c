/* What the system answers: fcntl.h, unistd.h, arpa/inet.h, stdio.h, stdlib.h. */
typedef unsigned long size;
int *__errno_location(void);
int __library_any_int(void);
long __library_any_long(void);
char __library_any_char(void);
void __library_uses(void *);
void *__library_object(size);
void __library_incomplete(const char *);
void __VERIFIER_assume(int);
void *realloc(void *, size);
enum { EBADF = 9 };
static int failed(void) {
    *__errno_location() = __library_any_int();
    return -1;
}
/* -1, or a number that is not negative. */
static int answer(void) {
    int n = __library_any_int();
    __VERIFIER_assume(n >= -1);
    return n < 0 ? failed() : n;
}
/* A terminated text of any content that the library keeps. */
static char *text(void) {
    size n = (__library_any_long() & 0xffff) + 1UL;
    char *t = __library_object(n);
    t[n - 1] = 0;
    return t;
}
static char *text_or_null(const char *name) {
    for (size i = 0; name[i]; i++)
        ;
    return __library_any_int() ? text() : 0;
}
/* Who asks twice in a row gets the same answer. */
static char *variable(const char *name) {
    static char asked[32], *answer;
    size i = 0;
    while (i < 31 && name[i] && asked[i] == name[i])
        i++;
    if (i > 0 && i < 31 && asked[i] == name[i])
        return answer;
    answer = text_or_null(name);
    for (i = 0; i < 31 && name[i]; i++)
        asked[i] = name[i];
    asked[i] = 0;
    return answer;
}
char *getenv(const char *name) { return variable(name); }
char *secure_getenv(const char *name) { return variable(name); }
char *strerror(int error) { return text(); }
char *strsignal(int signal) { return text(); }
int open(const char *path, int flags, ...) {
    for (size i = 0; path[i]; i++)
        ;
    return answer();
}
/* Commands that store something through their argument are not known here. */
int fcntl(int file, int command, ...) {
    if (file < 0) {
        *__errno_location() = EBADF;
        return -1;
    }
    if (command > 4 && (command < 1024 || command > 1034))
        __library_incomplete("a command of fcntl that may store something");
    return answer();
}
int dup(int file) { return answer(); }
int dup2(int file, int to) { return answer() < 0 ? -1 : to; }
int pipe(int *ends) {
    if (__library_any_int())
        return failed();
    int in = answer(), out = answer();
    __VERIFIER_assume(in >= 0 && out >= 0 && in != out);
    ends[0] = in;
    ends[1] = out;
    return 0;
}
struct address { unsigned s; };
char *inet_ntoa(struct address a) {
    static char text[16];
    int n = 0;
    for (int i = 0; i < 4; i++) {
        unsigned byte = a.s >> 8 * i & 0xff;
        if (byte >= 100) {
            text[n] = (char)('0' + byte / 100);
            n++;
        }
        if (byte >= 10) {
            text[n] = (char)('0' + byte / 10 % 10);
            n++;
        }
        text[n] = (char)('0' + byte % 10);
        n++;
        text[n] = i < 3 ? '.' : 0;
        n++;
    }
    return text;
}
/* The program may hand over a buffer that is written later; without one nothing changes. */
int setvbuf(void *file, char *buffer, int mode, size n) {
    __library_uses(file);
    if (buffer)
        __library_incomplete("a buffer for a stream");
    return __library_any_int();
}
void setbuf(void *file, char *buffer) {
    __library_uses(file);
    if (buffer)
        __library_incomplete("a buffer for a stream");
}
char *getcwd(char *to, size n) {
    if (!to)
        __library_incomplete("getcwd without a buffer");
    if (n == 0 || __library_any_int()) {
        failed();
        return 0;
    }
    size length = __library_any_long();
    __VERIFIER_assume(0 < length && length < n);
    for (size i = 0; i < length; i++)
        to[i] = __library_any_char();
    to[length] = 0;
    return to;
}
static long read_to(char **line, size *room, int end, void *file) {
    __library_uses(file);
    size n = (__library_any_long() & 0xffffff) + 1UL;
    if (!*line || *room <= n) {
        char *more = realloc(*line, n + 1);
        if (!more)
            return failed();
        *line = more;
        *room = n + 1;
    }
    if (__library_any_int())
        return failed();
    for (size i = 0; i + 1 < n; i++) {
        char c = __library_any_char();
        __VERIFIER_assume(c != (char)end);
        (*line)[i] = c;
    }
    (*line)[n - 1] = __library_any_char();
    (*line)[n] = 0;
    return (long)n;
}
long getdelim(char **line, size *room, int end, void *file) { return read_to(line, room, end, file); }
long getline(char **line, size *room, void *file) { return read_to(line, room, '\n', file); }
struct user { char *name, *password; unsigned id, group; char *comment, *home, *shell; };
static struct user *user(void) {
    static struct user u;
    if (__library_any_int()) {
        failed();
        return 0;
    }
    u.name = text();
    u.password = text();
    u.id = __library_any_int();
    u.group = __library_any_int();
    u.comment = text();
    u.home = text();
    u.shell = text();
    return &u;
}
struct user *getpwnam(const char *name) {
    for (size i = 0; name[i]; i++)
        ;
    return user();
}
struct user *getpwuid(unsigned id) { return user(); }
