/* ctype.h in the C locale. Any number but zero stands for yes: gcc and glibc do not agree on which. */
int __library_any_int(void);
static int no_or_yes(int yes) {
    int any = __library_any_int();
    return !yes ? 0 : any ? any : 1;
}
static int within(int c, int low, int high) { return low <= c && c <= high; }
int isascii(int c) { return no_or_yes((c & ~0x7f) == 0); }
int toascii(int c) { return c & 0x7f; }
int isupper(int c) { return no_or_yes(within(c, 'A', 'Z')); }
int islower(int c) { return no_or_yes(within(c, 'a', 'z')); }
int isalpha(int c) { return no_or_yes(within(c, 'A', 'Z') || within(c, 'a', 'z')); }
int isdigit(int c) { return no_or_yes(within(c, '0', '9')); }
int isxdigit(int c) { return no_or_yes(within(c, '0', '9') || within(c, 'A', 'F') || within(c, 'a', 'f')); }
int isspace(int c) { return no_or_yes(c == ' ' || within(c, '\t', '\r')); }
int isprint(int c) { return no_or_yes(within(c, ' ', '~')); }
int isgraph(int c) { return no_or_yes(within(c, '!', '~')); }
int isblank(int c) { return no_or_yes(c == ' ' || c == '\t'); }
int iscntrl(int c) { return no_or_yes(within(c, 0, 31) || c == 127); }
int isalnum(int c) { return no_or_yes(within(c, '0', '9') || within(c, 'A', 'Z') || within(c, 'a', 'z')); }
int ispunct(int c) {
    return no_or_yes(within(c, '!', '/') || within(c, ':', '@') || within(c, '[', '`') || within(c, '{', '~'));
}
int tolower(int c) { return within(c, 'A', 'Z') ? c + ('a' - 'A') : c; }
int toupper(int c) { return within(c, 'a', 'z') ? c - ('a' - 'A') : c; }
