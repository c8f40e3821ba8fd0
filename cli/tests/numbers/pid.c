// A PID controller. Bug: the output is not limited.
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
struct pid { float integral, last; };
static float step(struct pid *c, float error)
{
    c->integral += error * 0.1f;
    float out = 2 * error + 0.5f * c->integral + (error - c->last);
    c->last = error;
#ifndef BUG
    if (out > 100)
        out = 100;
    if (out < -100)
        out = -100;
#endif
    return out;
}
int main(void)
{
    struct pid c = {0, 0};
    for (int i = 0; i < 2; i++) {
        float error = __VERIFIER_nondet_float();
        if (!(error >= -50 && error <= 50))
            return 0;
        float out = step(&c, error);
        assert(out >= -100 && out <= 100);
    }
    return 0;
}
