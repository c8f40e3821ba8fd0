// A product of matrices with the identity. Bug: a row that is not there.
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
#define N 2
#ifdef BUG
#define LAST N
#else
#define LAST (N - 1)
#endif
static void multiply(float a[N][N], float b[N][N], float c[N][N])
{
    for (int i = 0; i <= LAST; i++)
        for (int j = 0; j < N; j++) {
            c[i][j] = 0;
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}
int main(void)
{
    float a[N][N], one[N][N] = {{1, 0}, {0, 1}}, c[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = __VERIFIER_nondet_float();
            if (!(a[i][j] >= -1000 && a[i][j] <= 1000))
                return 0;
        }
    multiply(a, one, c);
    assert(c[1][0] == a[1][0]);
    return 0;
}
