/* A small IPASIR solver for the tests: DPLL with unit propagation by scanning, cores by deletion. */
#include <stdlib.h>
#include <string.h>

typedef struct {
  int *lits;        /* all clauses, each ended by 0 */
  size_t size, capacity;
  int *assumed;     /* assumptions of the next solve */
  size_t assumptions, assumed_capacity;
  int *failed;      /* the core of the last solve */
  size_t failures;
  signed char *value; /* by variable */
  int *trail;       /* assigned literals */
  int vars, depth;
  void *state;
  int (*terminate) (void *);
} Solver;

static void push (int **data, size_t *size, size_t *capacity, int x) {
  if (*size == *capacity) {
    *capacity = *capacity ? 2 * *capacity : 64;
    *data = realloc (*data, *capacity * sizeof (int));
  }
  (*data)[(*size)++] = x;
}

const char *ipasir_signature (void) { return "dpll-for-tests"; }
void *ipasir_init (void) { return calloc (1, sizeof (Solver)); }

void ipasir_release (void *p) {
  Solver *s = p;
  free (s->lits), free (s->assumed), free (s->failed), free (s->value), free (s->trail), free (s);
}

static void mention (Solver *s, int lit) {
  int var = abs (lit);
  if (var <= s->vars) return;
  s->value = realloc (s->value, var + 1);
  s->trail = realloc (s->trail, (var + 1) * sizeof (int));
  s->vars = var;
}

void ipasir_add (void *p, int lit) {
  Solver *s = p;
  if (lit) mention (s, lit);
  push (&s->lits, &s->size, &s->capacity, lit);
}

void ipasir_assume (void *p, int lit) {
  Solver *s = p;
  mention (s, lit);
  push (&s->assumed, &s->assumptions, &s->assumed_capacity, lit);
}

static int truth (Solver *s, int lit) {
  int v = s->value[abs (lit)];
  return lit < 0 ? -v : v;
}

static void assign (Solver *s, int lit) {
  s->value[abs (lit)] = lit < 0 ? -1 : 1;
  s->trail[s->depth++] = lit;
}

static int propagate (Solver *s) {
  int changed = 1;
  while (changed) {
    changed = 0;
    for (size_t i = 0; i < s->size; i++) {
      int unit = 0, open = 0, satisfied = 0;
      for (; s->lits[i]; i++) {
        int t = truth (s, s->lits[i]);
        if (t > 0) satisfied = 1;
        else if (t == 0 && s->lits[i] != unit) unit = s->lits[i], open++;
      }
      if (satisfied || open > 1) continue;
      if (!open) return 0;
      assign (s, unit), changed = 1;
    }
  }
  return 1;
}

static void undo (Solver *s, int depth) {
  while (s->depth > depth) s->value[abs (s->trail[--s->depth])] = 0;
}

/* 10, 20, or 0 when asked to stop; the assignment stays after 10. */
static int search (Solver *s) {
  if (s->terminate && s->terminate (s->state)) return 0;
  int depth = s->depth, var = 1;
  if (!propagate (s)) return undo (s, depth), 20;
  while (var <= s->vars && s->value[var]) var++;
  if (var > s->vars) return 10;
  for (int sign = -1; sign <= 1; sign += 2) {
    int inner = s->depth;
    assign (s, sign * var);
    int result = search (s);
    if (result != 20) return result;
    undo (s, inner);
  }
  return undo (s, depth), 20;
}

static int solve_under (Solver *s, const int *assumed, size_t n) {
  if (s->vars) memset (s->value, 0, s->vars + 1);
  s->depth = 0;
  for (size_t i = 0; i < n; i++) {
    int t = truth (s, assumed[i]);
    if (t < 0) return 20;
    if (!t) assign (s, assumed[i]);
  }
  return search (s);
}

int ipasir_solve (void *p) {
  Solver *s = p;
  size_t n = s->assumptions;
  s->assumptions = 0;
  int result = solve_under (s, s->assumed, n);
  if (result != 20) return result;
  s->failed = realloc (s->failed, (n + 1) * sizeof (int));
  if (n) memcpy (s->failed, s->assumed, n * sizeof (int));
  for (size_t i = 0; i < n;) {
    int dropped = s->failed[i];
    s->failed[i] = s->failed[n - 1];
    if (solve_under (s, s->failed, n - 1) == 20) n--;
    else s->failed[i++] = dropped;
  }
  s->failures = n;
  return 20;
}

int ipasir_val (void *p, int lit) {
  Solver *s = p;
  int t = truth (s, lit);
  return t > 0 ? lit : t < 0 ? -lit : 0;
}

int ipasir_failed (void *p, int lit) {
  Solver *s = p;
  for (size_t i = 0; i < s->failures; i++)
    if (s->failed[i] == lit) return 1;
  return 0;
}

void ipasir_set_terminate (void *p, void *state, int (*terminate) (void *)) {
  Solver *s = p;
  s->state = state, s->terminate = terminate;
}

void ipasir_set_learn (void *p, void *state, int max_length, void (*learn) (void *, int *)) {
  (void) p, (void) state, (void) max_length, (void) learn;
}
