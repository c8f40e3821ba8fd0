// Packed layout
// verdict(unreach-call): true
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
#pragma pack(push, 1)
struct s { char c; int i; };
#pragma pack(pop)
struct t { char c; int i; };
int main(void) { check(sizeof(struct s) == 5 && sizeof(struct t) == 8); return 0; }
