/* stdio.h: printing by a format that is read when the program runs. */
typedef unsigned long size;
typedef __builtin_va_list list;
int __library_any_int(void);
void __library_uses(void *);
void __library_incomplete(const char *);
void *__library_print_into(char *, size);
void *__library_print_block(char **);
int __library_printed(void *);
void *__library_print_chars(void *, unsigned long long, int);
void *__library_print_char(void *, int, int, int);
void *__library_print_string(void *, const char *, int, int, int);
void *__library_print_signed(void *, long long, int, int, int);
void *__library_print_decimal(void *, unsigned long long, int, int, int);
void *__library_print_octal(void *, unsigned long long, int, int, int);
void *__library_print_hexadecimal(void *, unsigned long long, int, int, int);
void *__library_print_double(void *, double, int, int, int);
enum { LEFT = 1, PLUS = 2, SPACE = 4, OTHER = 8, ZERO = 16, UPPER = 32, EXPONENT = 64, SHORTER = 128, BITS = 256 };
static int upper(char c) { return 'A' <= c && c <= 'Z' ? UPPER : 0; }
static int flag(char c) {
    return c == '-' ? LEFT : c == '+' ? PLUS : c == ' ' ? SPACE : c == '#' ? OTHER : c == '0' ? ZERO : 0;
}
static void *run(void *s, const char *f, list values) {
    for (size i = 0; f[i]; i++) {
        if (f[i] != '%') {
            __library_print_chars(s, (unsigned char)f[i], 1);
            continue;
        }
        int flags = 0, width = 0, precision = -1, length = 0;
        i++;
        while (flag(f[i])) {
            flags |= flag(f[i]);
            i++;
        }
        if (f[i] == '*') {
            width = __builtin_va_arg(values, int);
            i++;
        }
        while ('0' <= f[i] && f[i] <= '9') {
            width = 10 * width + (f[i] - '0');
            i++;
        }
        if (f[i] == '.') {
            i++;
            precision = 0;
            if (f[i] == '*') {
                precision = __builtin_va_arg(values, int);
                i++;
            }
            while ('0' <= f[i] && f[i] <= '9') {
                precision = 10 * precision + (f[i] - '0');
                i++;
            }
        }
        while (f[i] == 'l' || f[i] == 'h' || f[i] == 'z' || f[i] == 'j' || f[i] == 't') {
            length += f[i] == 'h' ? -1 : f[i] == 'j' ? 2 : 1;
            i++;
        }
        switch (f[i]) {
        case 'd':
        case 'i': {
            long long value = length >= 2   ? __builtin_va_arg(values, long long)
                              : length == 1 ? __builtin_va_arg(values, long)
                                            : __builtin_va_arg(values, int);
            value = length == -1 ? (short)value : length == -2 ? (signed char)value : value;
            __library_print_signed(s, value, flags, width, precision);
            break;
        }
        case 'u':
        case 'o':
        case 'x':
        case 'X': {
            unsigned long long value = length >= 2   ? __builtin_va_arg(values, unsigned long long)
                                       : length == 1 ? __builtin_va_arg(values, unsigned long)
                                                     : __builtin_va_arg(values, unsigned);
            value = length == -1 ? (unsigned short)value : length == -2 ? (unsigned char)value : value;
            if (f[i] == 'u')
                __library_print_decimal(s, value, flags, width, precision);
            else if (f[i] == 'o')
                __library_print_octal(s, value, flags, width, precision);
            else
                __library_print_hexadecimal(s, value, flags | upper(f[i]), width, precision);
            break;
        }
        case 'c':
            if (length != 0)
                __library_incomplete("a wide character printed into memory");
            __library_print_char(s, __builtin_va_arg(values, int), flags, width);
            break;
        case 's':
            if (length != 0)
                __library_incomplete("a wide string printed into memory");
            __library_print_string(s, __builtin_va_arg(values, char *), flags, width, precision);
            break;
        case '%':
            __library_print_chars(s, '%', 1);
            break;
        case 'a':
        case 'A':
            __library_print_double(s, __builtin_va_arg(values, double), flags | BITS | upper(f[i]), width, precision);
            break;
        case 'e':
        case 'E':
            __library_print_double(s, __builtin_va_arg(values, double), flags | EXPONENT | upper(f[i]), width, precision);
            break;
        case 'g':
        case 'G':
            __library_print_double(s, __builtin_va_arg(values, double), flags | SHORTER | upper(f[i]), width, precision);
            break;
        case 'f':
        case 'F':
            __library_print_double(s, __builtin_va_arg(values, double), flags | upper(f[i]), width, precision);
            break;
        default:
            __library_incomplete("a conversion of a format that has no model");
        }
    }
    return s;
}
static int into(char *to, size n, const char *format, list values) {
    return __library_printed(run(__library_print_into(to, n), format, values));
}
static int block(char **to, const char *format, list values) {
    return __library_printed(run(__library_print_block(to), format, values));
}
int vsnprintf(char *to, size n, const char *format, list values) { return into(to, n, format, values); }
int vsprintf(char *to, const char *format, list values) { return into(to, -1, format, values); }
int vasprintf(char **to, const char *format, list values) { return block(to, format, values); }
int snprintf(char *to, size n, const char *format, ...) {
    list values;
    __builtin_va_start(values, format);
    return into(to, n, format, values);
}
int sprintf(char *to, const char *format, ...) {
    list values;
    __builtin_va_start(values, format);
    return into(to, -1, format, values);
}
int asprintf(char **to, const char *format, ...) {
    list values;
    __builtin_va_start(values, format);
    return block(to, format, values);
}
/* What goes to a stream is read and seen by nobody here; the result may tell of an error. */
static int show(const char *format, list values) {
    run(__library_print_into(0, 0), format, values);
    return __library_any_int();
}
int vprintf(const char *format, list values) { return show(format, values); }
int vdprintf(int file, const char *format, list values) { return show(format, values); }
void vsyslog(int priority, const char *format, list values) { show(format, values); }
static int stream(void *file, const char *format, list values) {
    __library_uses(file);
    return show(format, values);
}
int vfprintf(void *file, const char *format, list values) { return stream(file, format, values); }
/* The fortified forms that glibc's headers call. */
int __vsnprintf_chk(char *to, size n, int flag, size room, const char *format, list values) {
    return into(to, n, format, values);
}
int __vsprintf_chk(char *to, int flag, size room, const char *format, list values) {
    return into(to, -1, format, values);
}
int __vasprintf_chk(char **to, int flag, const char *format, list values) { return block(to, format, values); }
int __vprintf_chk(int flag, const char *format, list values) { return show(format, values); }
int __vfprintf_chk(void *file, int flag, const char *format, list values) { return stream(file, format, values); }
int __snprintf_chk(char *to, size n, int flag, size room, const char *format, ...) {
    list values;
    __builtin_va_start(values, format);
    return into(to, n, format, values);
}
int __sprintf_chk(char *to, int flag, size room, const char *format, ...) {
    list values;
    __builtin_va_start(values, format);
    return into(to, -1, format, values);
}
