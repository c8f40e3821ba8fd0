/* A sample engine in C: breadth-first exploration of all states of a small flat program.
 *
 * It handles booleans and bit-vectors of up to 64 bits, as long as there are not too many states.
 * A state is a location and a value per variable. The proof of safety is the set of reachable
 * states itself, as one formula per location; the proof of the opposite is the way to the error.
 *
 * Read first: `engine_run` at the end. The image of the program and the word streams are
 * described at the head of trellis.h. */
#include <stdlib.h>
#include <string.h>
#include "trellis.h"

enum { MAX_STATES = 1 << 16, MAX_INPUT_BITS = 12 };

/* ---- growing arrays of words */

typedef struct {
    uint32_t *at;
    size_t len, room;
} Words;

static void push(Words *w, uint32_t word)
{
    if (w->len == w->room) {
        w->room = w->room ? 2 * w->room : 64;
        w->at = realloc(w->at, w->room * sizeof *w->at);
        if (!w->at) abort(); /* the host reports it by name */
    }
    w->at[w->len++] = word;
}

static void push_value(Words *w, uint32_t width, uint64_t value)
{
    if (width == 0) {
        push(w, 0), push(w, (uint32_t)value);
        return;
    }
    push(w, 1), push(w, width), push(w, (uint32_t)value);
    if (width > 32) push(w, (uint32_t)(value >> 32));
}

/* ---- the program */

typedef struct {
    const uint32_t *image;
    const uint32_t *section[12];
    uint32_t count[12];
    const uint32_t **term; /* the beginning of each node */
    uint64_t *value;       /* of each node, while evaluating */
    uint32_t *width;       /* of each node; 0 for bool */
    uint32_t terms, vars;
} Program;

/* A variable's record: type, scope, procedure, name, span. */
static const uint32_t *var(const Program *p, uint32_t v)
{
    return p->section[TRELLIS_SECTION_VARS] + 9 * v;
}
static uint32_t var_width(const Program *p, uint32_t v) { return var(p, v)[1]; }

static uint64_t mask(uint32_t width)
{
    return width == 0 ? 1 : width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}
static int64_t to_signed(uint64_t a, uint32_t width)
{
    uint64_t sign = UINT64_C(1) << (width - 1);
    return (int64_t)((a ^ sign) - sign);
}

/* Whether the engine can handle the program: everything fits into 64 bits, and no arrays. */
static const char *load(Program *p, TrellisWords image)
{
    p->image = image.data;
    for (uint32_t i = 0; i < image.data[3]; i++) {
        const uint32_t *s = image.data + 4 + 3 * i;
        if (s[0] < 12) p->section[s[0]] = image.data + s[1], p->count[s[0]] = s[2];
    }
    p->vars = p->count[TRELLIS_SECTION_VARS];
    for (uint32_t v = 0; v < p->vars; v++) {
        if (var(p, v)[0] != 0) return "the program has arrays";
        if (var_width(p, v) > 64) return "the program has vectors of more than 64 bits";
    }
    if (p->count[TRELLIS_SECTION_PROCS] != 1) return "the program is not flat";
    const uint32_t *at = p->section[TRELLIS_SECTION_TERMS];
    const uint32_t *end = at + p->count[TRELLIS_SECTION_TERMS];
    p->term = calloc((size_t)(end - at) + 1, sizeof *p->term);
    p->value = calloc((size_t)(end - at) + 1, sizeof *p->value);
    p->width = calloc((size_t)(end - at) + 1, sizeof *p->width);
    if (!p->term || !p->value || !p->width) return "out of memory";
    while (at < end) {
        uint32_t *w = &p->width[p->terms];
        p->term[p->terms++] = at;
        switch (at[0]) {
        case TRELLIS_OP_BOOL_CONST: *w = 0, at += 2; break;
        case TRELLIS_OP_BV_CONST: *w = at[1], at += 2 + (at[1] + 31) / 32; break;
        case TRELLIS_OP_VAR: *w = at[3], at += 4; break;
        case TRELLIS_OP_NOT: *w = 0, at += 2; break;
        case TRELLIS_OP_BV_NOT: case TRELLIS_OP_BV_NEG: *w = p->width[at[1]], at += 2; break;
        case TRELLIS_OP_ITE: *w = p->width[at[2]], at += 4; break;
        case TRELLIS_OP_CONCAT: *w = p->width[at[1]] + p->width[at[2]], at += 3; break;
        case TRELLIS_OP_EXTRACT: *w = at[2] - at[3] + 1, at += 4; break;
        case TRELLIS_OP_ZERO_EXT: case TRELLIS_OP_SIGN_EXT: *w = at[2], at += 3; break;
        case TRELLIS_OP_AND: case TRELLIS_OP_OR: case TRELLIS_OP_EQ:
        case TRELLIS_OP_BV_ULT: case TRELLIS_OP_BV_ULE: case TRELLIS_OP_BV_SLT:
        case TRELLIS_OP_BV_SLE: case TRELLIS_OP_BV_UADDO: case TRELLIS_OP_BV_USUBO:
            *w = 0, at += 3; break;
        case TRELLIS_OP_BV_AND: case TRELLIS_OP_BV_OR: case TRELLIS_OP_BV_XOR:
        case TRELLIS_OP_BV_ADD: case TRELLIS_OP_BV_SUB: case TRELLIS_OP_BV_MUL:
        case TRELLIS_OP_BV_UDIV: case TRELLIS_OP_BV_UREM: case TRELLIS_OP_BV_SHL:
        case TRELLIS_OP_BV_LSHR: case TRELLIS_OP_BV_ASHR:
            *w = p->width[at[1]], at += 3; break;
        default: return "the program has an operation this engine does not know";
        }
        if (*w > 64) return "the program has vectors of more than 64 bits";
    }
    return NULL;
}

/* The value of a term. Nodes come after their arguments, so one sweep does. */
static uint64_t eval(Program *p, uint32_t t, const uint64_t *state)
{
    for (uint32_t i = 0; i <= t; i++) {
        const uint32_t *n = p->term[i];
        uint32_t w = p->width[i];
        uint64_t m = mask(w), r = 0, a = 0, b = 0;
        uint32_t wa = 0;
        if (n[0] > TRELLIS_OP_VAR) a = p->value[n[1]], wa = p->width[n[1]];
        if (n[0] > TRELLIS_OP_NOT && n[0] != TRELLIS_OP_BV_NOT && n[0] != TRELLIS_OP_BV_NEG &&
            n[0] != TRELLIS_OP_EXTRACT && n[0] != TRELLIS_OP_ZERO_EXT && n[0] != TRELLIS_OP_SIGN_EXT)
            b = p->value[n[2]];
        switch (n[0]) {
        case TRELLIS_OP_BOOL_CONST: r = n[1]; break;
        case TRELLIS_OP_BV_CONST: r = n[2] | (w > 32 ? (uint64_t)n[3] << 32 : 0); break;
        case TRELLIS_OP_VAR: r = state[n[1]]; break;
        case TRELLIS_OP_NOT: r = !a; break;
        case TRELLIS_OP_AND: r = a & b; break;
        case TRELLIS_OP_OR: r = a | b; break;
        case TRELLIS_OP_EQ: r = a == b; break;
        case TRELLIS_OP_ITE: r = a ? b : p->value[n[3]]; break;
        case TRELLIS_OP_BV_NOT: r = ~a; break;
        case TRELLIS_OP_BV_NEG: r = -a; break;
        case TRELLIS_OP_BV_AND: r = a & b; break;
        case TRELLIS_OP_BV_OR: r = a | b; break;
        case TRELLIS_OP_BV_XOR: r = a ^ b; break;
        case TRELLIS_OP_BV_ADD: r = a + b; break;
        case TRELLIS_OP_BV_SUB: r = a - b; break;
        case TRELLIS_OP_BV_MUL: r = a * b; break;
        case TRELLIS_OP_BV_UDIV: r = b ? a / b : m; break;
        case TRELLIS_OP_BV_UREM: r = b ? a % b : a; break;
        case TRELLIS_OP_BV_SHL: r = b < w ? a << b : 0; break;
        case TRELLIS_OP_BV_LSHR: r = b < w ? a >> b : 0; break;
        case TRELLIS_OP_BV_ASHR: r = (uint64_t)(to_signed(a, w) >> (b < w ? b : w - 1)); break;
        case TRELLIS_OP_BV_ULT: r = a < b; break;
        case TRELLIS_OP_BV_ULE: r = a <= b; break;
        case TRELLIS_OP_BV_SLT: r = to_signed(a, wa) < to_signed(b, wa); break;
        case TRELLIS_OP_BV_SLE: r = to_signed(a, wa) <= to_signed(b, wa); break;
        case TRELLIS_OP_BV_UADDO: r = ((a + b) & mask(wa)) < a; break;
        case TRELLIS_OP_BV_USUBO: r = a < b; break;
        case TRELLIS_OP_CONCAT: r = a << p->width[n[2]] | b; break;
        case TRELLIS_OP_EXTRACT: r = a >> n[3]; break;
        case TRELLIS_OP_ZERO_EXT: r = a; break;
        case TRELLIS_OP_SIGN_EXT: r = (uint64_t)to_signed(a, wa); break;
        }
        p->value[i] = r & m;
    }
    return p->value[t];
}

/* ---- states */

typedef struct {
    uint32_t loc, parent, edge;
    Words decisions; /* `c, choice * c, i, (input, value) * i`, as in a trace */
    uint64_t *values;
} State;

typedef struct {
    Program p;
    const TrellisHost *host;
    State *states;
    uint32_t count, *table; /* open hashing: number of a state plus one */
    const char *gave_up;
    /* The edge being taken. */
    uint32_t from, edge, to;
    uint32_t choices[64], inputs[64];
    uint64_t input_values[64];
    uint32_t n_choices, n_inputs;
} Search;

static void add_state(Search *s, uint32_t loc, const uint64_t *values, uint32_t parent)
{
    if (s->gave_up) return;
    size_t bytes = (s->p.vars + 1) * sizeof *values;
    uint64_t hash = loc * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t v = 0; v < s->p.vars; v++)
        hash = (hash ^ values[v]) * UINT64_C(0x100000001b3), hash ^= hash >> 29;
    uint32_t slot = hash % (2 * MAX_STATES);
    for (; s->table[slot]; slot = (slot + 1) % (2 * MAX_STATES)) {
        const State *t = &s->states[s->table[slot] - 1];
        if (t->loc == loc && !memcmp(t->values, values, bytes - sizeof *values)) return;
    }
    if (s->count == MAX_STATES) {
        s->gave_up = "too many states";
        return;
    }
    State *t = &s->states[s->count];
    memset(t, 0, sizeof *t);
    t->values = malloc(bytes);
    if (!t->values) abort();
    memcpy(t->values, values, bytes - sizeof *values);
    t->loc = loc, t->parent = parent, t->edge = s->edge;
    push(&t->decisions, s->n_choices);
    for (uint32_t i = 0; i < s->n_choices; i++) push(&t->decisions, s->choices[i]);
    push(&t->decisions, s->n_inputs);
    for (uint32_t i = 0; i < s->n_inputs; i++) {
        push(&t->decisions, s->inputs[i]);
        uint32_t width = s->p.section[TRELLIS_SECTION_INPUTS][7 * s->inputs[i] + 1];
        push_value(&t->decisions, width, s->input_values[i]);
    }
    s->table[slot] = ++s->count;
}

/* Executes the commands in `todo`, last first, in every possible way. */
static void execute(Search *s, const uint32_t *todo, uint32_t n, uint64_t *values)
{
    if (s->gave_up) return;
    if (n == 0) {
        add_state(s, s->to, values, s->from);
        return;
    }
    const uint32_t *c = s->p.section[TRELLIS_SECTION_CMDS] + todo[n - 1];
    uint32_t rest[256];
    switch (c[0]) {
    case TRELLIS_CMD_SKIP:
        execute(s, todo, n - 1, values);
        return;
    case TRELLIS_CMD_ASSUME:
        if (eval(&s->p, c[1], values)) execute(s, todo, n - 1, values);
        return;
    case TRELLIS_CMD_SEQ:
    case TRELLIS_CMD_CHOICE:
        if (n + c[1] > 256 || s->n_choices == 64) {
            s->gave_up = "a command is too large";
            return;
        }
        memcpy(rest, todo, (n - 1) * sizeof *rest);
        if (c[0] == TRELLIS_CMD_SEQ) {
            for (uint32_t i = 0; i < c[1]; i++) rest[n - 1 + i] = c[2 + c[1] - 1 - i];
            execute(s, rest, n - 1 + c[1], values);
            return;
        }
        for (uint32_t i = 0; i < c[1]; i++) {
            s->choices[s->n_choices++] = i;
            rest[n - 1] = c[2 + i];
            execute(s, rest, n, values);
            s->n_choices--;
        }
        return;
    }
    uint64_t *next = malloc((s->p.vars + 1) * sizeof *next);
    if (!next) abort();
    memcpy(next, values, s->p.vars * sizeof *next);
    if (c[0] == TRELLIS_CMD_ASSIGN) {
        for (uint32_t i = 0; i < c[1]; i++) next[c[2 + 2 * i]] = eval(&s->p, c[3 + 2 * i], values);
        execute(s, todo, n - 1, next);
    } else { /* havoc: all combinations of values, counted as one number */
        uint32_t bits = 0;
        for (uint32_t i = 0; i < c[1]; i++) {
            uint32_t width = var_width(&s->p, c[2 + 2 * i]);
            bits += width ? width : 1;
        }
        if (bits > MAX_INPUT_BITS || s->n_inputs + c[1] > 64) {
            s->gave_up = "too many inputs";
        } else {
            s->n_inputs += c[1];
            for (uint64_t all = 0; all < UINT64_C(1) << bits; all++) {
                uint64_t code = all;
                for (uint32_t i = 0; i < c[1]; i++) {
                    uint32_t v = c[2 + 2 * i], width = var_width(&s->p, v);
                    uint32_t at = s->n_inputs - c[1] + i;
                    next[v] = code & mask(width), code >>= width ? width : 1;
                    s->inputs[at] = c[3 + 2 * i], s->input_values[at] = next[v];
                }
                execute(s, todo, n - 1, next);
            }
            s->n_inputs -= c[1];
        }
    }
    free(next);
}

/* Adds every initial state: all variables of the program hold any values. */
static void add_initial(Search *s, uint32_t entry)
{
    uint32_t bits = 0;
    uint64_t *values = calloc(s->p.vars + 1, sizeof *values);
    if (!values) abort();
    for (uint32_t v = 0; v < s->p.vars; v++)
        if (var(&s->p, v)[2] != 2) bits += var_width(&s->p, v) ? var_width(&s->p, v) : 1;
    if (bits > 16) s->gave_up = "too many initial states";
    for (uint64_t all = 0; !s->gave_up && all < UINT64_C(1) << bits; all++) {
        uint64_t code = all;
        for (uint32_t v = 0; v < s->p.vars; v++) {
            uint32_t width = var_width(&s->p, v);
            if (var(&s->p, v)[2] == 2) continue;
            values[v] = code & mask(width), code >>= width ? width : 1;
        }
        add_state(s, entry, values, TRELLIS_NONE);
    }
    free(values);
}

/* ---- verdicts */

static void report_trace(Search *s, uint32_t error)
{
    Words out = {0}, way = {0};
    uint32_t first = error;
    for (; s->states[first].parent != TRELLIS_NONE; first = s->states[first].parent)
        push(&way, first);
    push(&out, 0);
    for (uint32_t v = 0; v < s->p.vars; v++) {
        if (var(&s->p, v)[2] == 2) continue;
        out.at[0]++;
        push(&out, v), push_value(&out, var_width(&s->p, v), s->states[first].values[v]);
    }
    push(&out, (uint32_t)way.len);
    while (way.len > 0) {
        const State *t = &s->states[way.at[--way.len]];
        push(&out, t->edge);
        for (size_t i = 0; i < t->decisions.len; i++) push(&out, t->decisions.at[i]);
    }
    TrellisWords words = {out.at, out.len};
    TrellisStr none = {NULL, 0};
    s->host->report(s->host->context, TRELLIS_VERDICT_UNSAFE, words, none);
    free(out.at), free(way.at);
}

/* One formula per location: the disjunction of its states. */
static void report_safe(Search *s)
{
    Words nodes = {0}, facts = {0}, out = {0};
    uint32_t n = 0, locs = s->p.count[TRELLIS_SECTION_LOCS];
    uint32_t *fact = malloc((locs + 1) * sizeof *fact);
    if (!fact) abort();
    for (uint32_t v = 0; v < s->p.vars; v++, n++) /* node v is variable v */
        push(&nodes, TRELLIS_OP_VAR), push(&nodes, v), push(&nodes, 0), push(&nodes, var_width(&s->p, v));
    for (uint32_t l = 0; l < locs; l++, n++)
        push(&nodes, TRELLIS_OP_BOOL_CONST), push(&nodes, 0), fact[l] = n;
    for (uint32_t i = 0; i < s->count; i++) {
        const State *t = &s->states[i];
        push(&nodes, TRELLIS_OP_BOOL_CONST), push(&nodes, 1);
        uint32_t all = n++;
        for (uint32_t v = 0; v < s->p.vars; v++) {
            uint32_t width = var_width(&s->p, v);
            if (var(&s->p, v)[2] == 2) continue;
            push(&nodes, width ? TRELLIS_OP_BV_CONST : TRELLIS_OP_BOOL_CONST);
            if (width) push(&nodes, width);
            push(&nodes, (uint32_t)t->values[v]);
            if (width > 32) push(&nodes, (uint32_t)(t->values[v] >> 32));
            push(&nodes, TRELLIS_OP_EQ), push(&nodes, v), push(&nodes, n++);
            push(&nodes, TRELLIS_OP_AND), push(&nodes, all), push(&nodes, n++);
            all = n++;
        }
        push(&nodes, TRELLIS_OP_OR), push(&nodes, fact[t->loc]), push(&nodes, all);
        fact[t->loc] = n++;
    }
    for (uint32_t l = 0; l < locs; l++) push(&facts, l), push(&facts, fact[l]);
    push(&out, 0), push(&out, (uint32_t)nodes.len);
    for (size_t i = 0; i < nodes.len; i++) push(&out, nodes.at[i]);
    push(&out, locs);
    for (size_t i = 0; i < facts.len; i++) push(&out, facts.at[i]);
    TrellisWords words = {out.at, out.len};
    TrellisStr none = {NULL, 0};
    s->host->report(s->host->context, TRELLIS_VERDICT_SAFE, words, none);
    free(nodes.at), free(facts.at), free(out.at), free(fact);
}

static void report_unknown(const TrellisHost *host, const char *why)
{
    TrellisWords none = {NULL, 0};
    TrellisStr text = {(const uint8_t *)why, strlen(why)};
    host->report(host->context, TRELLIS_VERDICT_UNKNOWN, none, text);
}

/* ---- the engine */

static int32_t engine_run(const TrellisTask *task, const TrellisHost *host)
{
    Search s = {.host = host};
    const char *why = load(&s.p, task->image);
    if (why) {
        report_unknown(host, why);
        return TRELLIS_OK;
    }
    s.states = calloc(MAX_STATES, sizeof *s.states);
    s.table = calloc(2 * MAX_STATES, sizeof *s.table);
    if (!s.states || !s.table) return TRELLIS_ERROR_ENGINE;
    add_initial(&s, s.p.section[TRELLIS_SECTION_PROCS][2]);
    uint32_t edges = s.p.count[TRELLIS_SECTION_EDGES];
    for (uint32_t i = 0; i < s.count && !s.gave_up; i++) {
        uint32_t kind = s.p.section[TRELLIS_SECTION_LOCS][9 * s.states[i].loc + 1];
        if (kind == 1) {
            report_trace(&s, i);
            return TRELLIS_OK;
        }
        if (kind == 2) s.gave_up = "an incomplete location is reachable";
        if (*(const volatile uint32_t *)host->cancelled) s.gave_up = "cancelled";
        for (uint32_t e = 0; e < edges; e++) {
            const uint32_t *edge = s.p.section[TRELLIS_SECTION_EDGES] + 7 * e;
            if (edge[0] != s.states[i].loc) continue;
            s.from = i, s.edge = e, s.to = edge[1];
            execute(&s, &edge[3], 1, s.states[i].values);
        }
    }
    /* The process ends after this, so what was allocated is left to it. */
    if (s.gave_up)
        report_unknown(host, s.gave_up);
    else
        report_safe(&s);
    return TRELLIS_OK;
}

static const TrellisEngine engine = {sizeof engine, engine_run};

const TrellisPlugin trellis_plugin = {
    // One by one, as headers before 1.3 had no name for them.
    .magic = TRELLIS_MAGIC,
    .abi_major = TRELLIS_ABI_MAJOR,
    .abi_minor = TRELLIS_ABI_MINOR,
    .size = sizeof trellis_plugin,
    .host_size = sizeof(TrellisHost),
    .task_size = sizeof(TrellisTask),
    .image_version = TRELLIS_IMAGE_VERSION,
    .kind = TRELLIS_KIND_ENGINE,
    .id = "explicit-c",
    .version = "0.1.0",
    .description = "explicit-state exploration of small programs, in C",
    .licence = "MIT OR Apache-2.0",
    .options = "{\"options\":[]}",
    .engine = &engine,
};
