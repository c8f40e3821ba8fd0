/* The C interface of Trellis plugins.
 *
 * A plugin is a shared library that exports one constant, `const TrellisPlugin trellis_plugin`.
 * Structures begin with their size and only grow. No ownership crosses: what a call returns a
 * pointer to stays the callee's and is valid until the next call on the same object, unless the
 * field says otherwise. A function that fails returns a status below zero.
 * The numbers inside word streams.
 *
 * A **type** is two words `index, elem`: `0, 0` is bool, `0, w` a bit-vector of w bits, `i, e` an
 * array from i-bit to e-bit vectors.
 *
 * A **term node** begins with its operation; `a`, `b`, ... are numbers of earlier nodes.
 *
 * A **value** is `0, bit` for a boolean, `1, width, digits...` for a bit-vector, and
 * `2, index, elem, default digits..., n, (index digits..., element digits...) * n` for an array;
 * digits are base 2^32, least significant first, as many as the width needs.
 *
 * A **certificate** is `k, words, node stream of that many words..., n, (location, term) * n`: an
 * invariant per location, terms by their number in the stream; `k` is 0, or the invariants are
 * k-inductive only.
 *
 * An **unwinding** is `visits`: no execution that can still reach an error or incomplete location makes more visits
 * of loop heads (targets of the back edges of a depth-first search from the entry, edges in their order), and none
 * reaches one. The number says how far the host unwinds the program itself; nothing of it is believed.
 *
 * **Contracts** are `words, node stream of that many words..., n, (procedure, r, term * r, e, term * e) * n, m, (location, term) * m`:
 * what procedures require and ensure, then invariants at loop heads. Terms may mention old values: variables that follow those of the
 * program, one for each global variable and each parameter in the order of their numbers.
 *
 * A **trace** is `n, (var, value) * n, m, (edge, c, choice * c, i, (input, value) * i) * m`: initial
 * values (zero where missing), then the edges taken, each with the branch of every choice and the
 * value of every havoc on the executed path, in order.
 *
 * A **script** is `n, (var, value) * n, m, (input, value) * m, p, (pick, low, high) * p, low, high`: initial values, the values of inputs in the
 * order in which they are read, and which of several edges (or branches of a choice) is tried first, `low + 2^32 * high` times in a
 * row. Edges of a location are tried in turn, beginning with the one picked, and so are branches; the first that completes is taken, and
 * inputs that the others have read stay read. Nothing is picked where there is one edge, or two whose guards are opposite; 0 is where
 * no pick is left. The last number is that of the steps, where it is known; nothing rests on it.
 *
 * **Lemmas** are `words, node stream of that many words..., n, (kind, bound, location, term) * n`.
 *
 * A **transformed program** is `words, image of that many words..., way back`. Variables, inputs, regions and files of
 * the program before keep their numbers; new ones follow them.
 *
 * A **way back** is `flags, w, walk * w, l, location * l, words, node stream of that many words..., n, (location, term) *
 * n, n, (location, term) * n, n, (variable, term) * n`: how traces and invariants of the program after are some of the
 * program before. There is one walk for each edge after, none at all with the flag `TRELLIS_BACK_SAME_EDGES`: edges keep
 * their numbers. A walk is `TRELLIS_WALK_EMPTY`; `TRELLIS_WALK_EDGE, edge before`; `TRELLIS_WALK_SEQ, n, walk * n`; or
 * `TRELLIS_WALK_CHOICE, n, walk * n`, of which the next choice of the step takes one. There is one location for each
 * location before, the one after whose invariant it shares or `TRELLIS_NONE`; none at all with the flag
 * `TRELLIS_BACK_SAME_LOCS`. Then come facts that join the invariants of the program before, lemmas at heads of its loops
 * that are not cut there, and what variables that exist only after stand for, as terms over those before.
 *
 * The **image** of a program is a header, then sections in any order, all offsets in words from
 * the beginning: `TRELLIS_IMAGE_MAGIC, version, main procedure, number of sections, (section,
 * offset, count) * sections`. Names are `offset, bytes` into the strings section (the offset in
 * bytes), `TRELLIS_NONE` standing for an offset without a name. A span is `file, line, column`,
 * the file being `TRELLIS_NONE` where there is none. Entities are numbered from 0 in the order of
 * their section.
 */

#ifndef TRELLIS_H
#define TRELLIS_H

/* Generated from plugins/abi/src by its tests; do not edit. */

#include <stddef.h>
#include <stdint.h>

// The bytes of `magic`; the terminating zero is one of them.
#define TRELLIS_MAGIC "TRELLIS"

// Names of the extensions.
#define TRELLIS_EXTENSION_SMT "trellis.smt/1"
#define TRELLIS_EXTENSION_SAT "trellis.sat/1"
#define TRELLIS_EXTENSION_LEMMAS "trellis.lemmas/1"
#define TRELLIS_EXTENSION_TEXT "trellis.text/1"

// The fields of `trellis_plugin` that say what it was built against.
#define TRELLIS_BUILT_AGAINST_THIS_HEADER \
  .magic = TRELLIS_MAGIC, .abi_major = TRELLIS_ABI_MAJOR, .abi_minor = TRELLIS_ABI_MINOR, \
  .size = sizeof(TrellisPlugin), .host_size = sizeof(TrellisHost), .task_size = sizeof(TrellisTask), \
  .image_version = TRELLIS_IMAGE_VERSION


// No entity.
#define TRELLIS_NONE UINT32_MAX

// The first word of an image.
#define TRELLIS_IMAGE_MAGIC 1280723284

// Edges after are the edges before, of the same numbers.
#define TRELLIS_BACK_SAME_EDGES 1

// Locations after are the locations before, of the same numbers.
#define TRELLIS_BACK_SAME_LOCS 2

// `walk`: no step at all.
#define TRELLIS_WALK_EMPTY 0

// `walk, edge`: through one edge, with the next choices and inputs of the step.
#define TRELLIS_WALK_EDGE 1

// `walk, n, walk * n`: one after the other.
#define TRELLIS_WALK_SEQ 2

// `walk, n, walk * n`: the next choice of the step says which.
#define TRELLIS_WALK_CHOICE 3

// Bytes of all names, padded with zeros; count: words.
#define TRELLIS_SECTION_STRINGS 1

// `name`; count: files.
#define TRELLIS_SECTION_FILES 2

// `type, scope, procedure, name, span`: 9 words; count: variables. Scope 0 is global, 1 local to
// the procedure, 2 an auxiliary symbol.
#define TRELLIS_SECTION_VARS 3

// `type, name, span`: 7 words; count: inputs.
#define TRELLIS_SECTION_INPUTS 4

// `name, memory variable, base variable, 1 or 0 for a fixed size, size low, size high, span`:
// 10 words; count: regions.
#define TRELLIS_SECTION_REGIONS 5

// A stream of term nodes; count: words.
#define TRELLIS_SECTION_TERMS 6

// Commands, each known by its offset from the beginning of the section, parts before users:
// `TRELLIS_CMD_*, ...`; count: words.
#define TRELLIS_SECTION_CMDS 7

// `name, entry, exit, parameters, results, span`, where parameters and results are `offset,
// number` into the lists: 11 words; count: procedures.
#define TRELLIS_SECTION_PROCS 8

// `procedure, kind, property or reason, name, span`: 9 words; count: locations. Kind 0 is plain,
// 1 an error location, 2 an incomplete one.
#define TRELLIS_SECTION_LOCS 9

// `from, to, action, at, span`: 7 words; count: edges. Action 0 is the command at an offset
// of the commands; 1 is the call at an offset of the lists: `procedure, n, term * n, m, variable * m`.
#define TRELLIS_SECTION_EDGES 10

// Words that others point to; count: words.
#define TRELLIS_SECTION_LISTS 11

// `cmd`: does nothing.
#define TRELLIS_CMD_SKIP 0

// `cmd, term`: goes on only where the term holds.
#define TRELLIS_CMD_ASSUME 1

// `cmd, n, (variable, term) * n`: assigns all at once.
#define TRELLIS_CMD_ASSIGN 2

// `cmd, n, (variable, input) * n`: any values.
#define TRELLIS_CMD_HAVOC 3

// `cmd, n, command * n`: one after the other.
#define TRELLIS_CMD_SEQ 4

// `cmd, n, command * n`: any one of them.
#define TRELLIS_CMD_CHOICE 5

// `op, value`: `true` (1) or `false` (0).
#define TRELLIS_OP_BOOL_CONST 0

// `op, width, digits...`: digits base 2^32, least significant first, as many as the width needs.
#define TRELLIS_OP_BV_CONST 1

// `op, var, index, elem`: a variable by its number, with its type.
#define TRELLIS_OP_VAR 2

// `op, a`: not.
#define TRELLIS_OP_NOT 3

// `op, a, b`: and.
#define TRELLIS_OP_AND 4

// `op, a, b`: or.
#define TRELLIS_OP_OR 5

// `op, a, b`: equality at any type.
#define TRELLIS_OP_EQ 6

// `op, condition, then, else`: if-then-else at any type.
#define TRELLIS_OP_ITE 7

// `op, a`: bitwise complement.
#define TRELLIS_OP_BV_NOT 8

// `op, a`: two's complement negation.
#define TRELLIS_OP_BV_NEG 9

// `op, a, b`: bitwise and.
#define TRELLIS_OP_BV_AND 10

// `op, a, b`: bitwise or.
#define TRELLIS_OP_BV_OR 11

// `op, a, b`: bitwise exclusive or.
#define TRELLIS_OP_BV_XOR 12

// `op, a, b`: addition modulo 2^w.
#define TRELLIS_OP_BV_ADD 13

// `op, a, b`: subtraction modulo 2^w.
#define TRELLIS_OP_BV_SUB 14

// `op, a, b`: multiplication modulo 2^w.
#define TRELLIS_OP_BV_MUL 15

// `op, a, b`: unsigned division; all ones when dividing by zero.
#define TRELLIS_OP_BV_UDIV 16

// `op, a, b`: unsigned remainder; the dividend when dividing by zero.
#define TRELLIS_OP_BV_UREM 17

// `op, a, b`: signed division, truncating.
#define TRELLIS_OP_BV_SDIV 18

// `op, a, b`: signed remainder with the dividend's sign.
#define TRELLIS_OP_BV_SREM 19

// `op, a, b`: signed remainder with the divisor's sign.
#define TRELLIS_OP_BV_SMOD 20

// `op, a, b`: shift left.
#define TRELLIS_OP_BV_SHL 21

// `op, a, b`: logical shift right.
#define TRELLIS_OP_BV_LSHR 22

// `op, a, b`: arithmetic shift right.
#define TRELLIS_OP_BV_ASHR 23

// `op, a, b`: unsigned less-than.
#define TRELLIS_OP_BV_ULT 24

// `op, a, b`: unsigned at-most.
#define TRELLIS_OP_BV_ULE 25

// `op, a, b`: signed less-than.
#define TRELLIS_OP_BV_SLT 26

// `op, a, b`: signed at-most.
#define TRELLIS_OP_BV_SLE 27

// `op, a, b`: unsigned addition overflows.
#define TRELLIS_OP_BV_UADDO 28

// `op, a, b`: signed addition overflows.
#define TRELLIS_OP_BV_SADDO 29

// `op, a, b`: unsigned subtraction underflows.
#define TRELLIS_OP_BV_USUBO 30

// `op, a, b`: signed subtraction overflows.
#define TRELLIS_OP_BV_SSUBO 31

// `op, a, b`: unsigned multiplication overflows.
#define TRELLIS_OP_BV_UMULO 32

// `op, a, b`: signed multiplication overflows.
#define TRELLIS_OP_BV_SMULO 33

// `op, high, low`: concatenation.
#define TRELLIS_OP_CONCAT 34

// `op, a, hi, lo`: bits hi down to lo.
#define TRELLIS_OP_EXTRACT 35

// `op, a, width`: zero extension to a width.
#define TRELLIS_OP_ZERO_EXT 36

// `op, a, width`: sign extension to a width.
#define TRELLIS_OP_SIGN_EXT 37

// `op, array, index`: array read.
#define TRELLIS_OP_SELECT 38

// `op, array, index, element`: array write.
#define TRELLIS_OP_STORE 39

// `op, element, index`: the array over an index width that holds the element everywhere.
#define TRELLIS_OP_CONST_ARRAY 40

// Variables of a certificate from this number on stand for all values; there may be four. Since ABI 1.3.
#define TRELLIS_FIRST_GHOST 1073741824

// Changes when a structure or a meaning changes incompatibly; both sides must agree.
#define TRELLIS_ABI_MAJOR 1

// Grows with every addition; a host accepts plugins up to its own.
#define TRELLIS_ABI_MINOR 3

// Version of the binary image in which programs cross.
#define TRELLIS_IMAGE_VERSION 1

// Version of the text form of programs.
#define TRELLIS_TEXT_VERSION 1

// The plugin is an engine.
#define TRELLIS_KIND_ENGINE 1

// The plugin is a solver backend.
#define TRELLIS_KIND_SOLVER 2

// The plugin is a pass. Since ABI 1.2.
#define TRELLIS_KIND_PASS 3

// The plugin is a front end. Since ABI 1.2.
#define TRELLIS_KIND_FRONTEND 4

// A program has one procedure and no calls.
#define TRELLIS_PROPERTY_FLAT 1

// Addresses mention the base variables of their regions, as the front end wrote them.
#define TRELLIS_PROPERTY_REGION_BASES 2

// A program has one loop location and an explicit program counter.
#define TRELLIS_PROPERTY_MONOLITHIC 4

// Success.
#define TRELLIS_OK 0

// An argument is malformed: a wrong type, an unknown number, text that is not UTF-8.
#define TRELLIS_ERROR_ARGUMENT -1

// The call is not allowed in the present state.
#define TRELLIS_ERROR_STATE -2

// The solver lacks what the call needs; `number` has the missing capabilities.
#define TRELLIS_ERROR_UNSUPPORTED -3

// The query is too large; `number` is the limit.
#define TRELLIS_ERROR_LIMIT -4

// The solver is not there.
#define TRELLIS_ERROR_UNAVAILABLE -5

// An option of the solver is wrong.
#define TRELLIS_ERROR_OPTION -6

// The solver failed.
#define TRELLIS_ERROR_BACKEND -7

// The callee panicked.
#define TRELLIS_ERROR_PANIC -8

// The engine failed; it has said why in the log.
#define TRELLIS_ERROR_ENGINE -9

// A read had to solve again and the solver gave up; `number` is the answer.
#define TRELLIS_ERROR_GAVE_UP -10

// The program is safe; the words are a certificate.
#define TRELLIS_VERDICT_SAFE 1

// An error location is reachable; the words are a trace.
#define TRELLIS_VERDICT_UNSAFE 2

// The engine gave up; the text says why.
#define TRELLIS_VERDICT_UNKNOWN 3

// The program is safe, because all executions end; the words are an unwinding. Since ABI 1.1.
#define TRELLIS_VERDICT_UNWOUND 4

// An error location is reachable; the words are a script. Since ABI 1.3.
#define TRELLIS_VERDICT_SCRIPTED 9

// A program with procedures is safe; the words are contracts. Since ABI 1.3.
#define TRELLIS_VERDICT_CONTRACTS 8

// Executions leave the loops that are named; the words are their proofs. Since ABI 1.3.
#define TRELLIS_VERDICT_TERMINATES 10

// Some execution does not end; the words are a lasso or a recurrent set. Since ABI 1.3.
#define TRELLIS_VERDICT_DIVERGES 11

// A pass leaves the program as it is; no words. Since ABI 1.2.
#define TRELLIS_REPORT_UNCHANGED 5

// A pass has made another program, or a front end one; the words are a transformed program or an image. Since ABI 1.2.
#define TRELLIS_REPORT_PROGRAM 6

// A pass does not fit the program, or a front end does not understand its source; the text says why. Since ABI 1.2.
#define TRELLIS_REPORT_REFUSED 7

// Something is wrong.
#define TRELLIS_LOG_ERROR 1

// Something deserves attention.
#define TRELLIS_LOG_WARN 2

// Normal progress.
#define TRELLIS_LOG_INFO 3

// For the engine's author.
#define TRELLIS_LOG_DEBUG 4

// A lemma is claimed to hold whenever its location is reached; nobody has checked it.
#define TRELLIS_LEMMA_CANDIDATE 1

// A lemma is claimed to hold at its location in every execution of at most `bound` edges.
#define TRELLIS_LEMMA_BOUNDED 2

// The checker has shown that the lemma holds whenever its location is reached.
#define TRELLIS_LEMMA_PROVED 3

// There is a model.
#define TRELLIS_ANSWER_SAT 10

// There is none.
#define TRELLIS_ANSWER_UNSAT 20

// Interrupted.
#define TRELLIS_ANSWER_INTERRUPTED 30

// The wall time of the query is used up.
#define TRELLIS_ANSWER_TIME 31

// The conflicts of the query are used up.
#define TRELLIS_ANSWER_CONFLICTS 32

// A memory limit was reached.
#define TRELLIS_ANSWER_MEMORY 33

// The solver is incomplete for this query; `last_error` has its words.
#define TRELLIS_ANSWER_INCOMPLETE 34

// Unsat cores over assumptions.
#define TRELLIS_CAN_UNSAT_CORE 1

// Queries can be interrupted.
#define TRELLIS_CAN_INTERRUPT 2

// Queries keep to a wall limit.
#define TRELLIS_CAN_TIME_LIMIT 4

// Queries keep to a limit of conflicts.
#define TRELLIS_CAN_CONFLICT_LIMIT 8

// Phase hints have an effect.
#define TRELLIS_CAN_PHASE_HINTS 16

// Levels of assertions.
#define TRELLIS_CAN_PUSH_POP 32

// Values of terms in a model.
#define TRELLIS_CAN_MODELS 64

// Terms with arrays.
#define TRELLIS_CAN_ARRAYS 128

// Equality of arrays.
#define TRELLIS_CAN_ARRAY_EQUALITY 256

// Interpolants.
#define TRELLIS_CAN_INTERPOLATION 512

// Models that are generalised to a formula.
#define TRELLIS_CAN_MODEL_GENERALIZATION 1024

// One seed, one sequence of answers.
#define TRELLIS_CAN_DETERMINISTIC 2048

// A limit that is none.
#define TRELLIS_NO_LIMIT UINT64_MAX

// A stream of 32-bit words in the byte order of the machine.
typedef struct TrellisWords {
  // The first word; may be null when `len` is 0.
  const uint32_t *data;
  // Number of words.
  size_t len;
} TrellisWords;

// Bytes of UTF-8 text, not terminated.
typedef struct TrellisStr {
  // The first byte; may be null when `len` is 0.
  const uint8_t *data;
  // Number of bytes.
  size_t len;
} TrellisStr;

// What an engine has to decide, or a pass to transform.
typedef struct TrellisTask {
  // `sizeof(TrellisTask)` of the host.
  uint32_t size;
  // Zero.
  uint32_t reserved;
  // The program as a binary image; for an engine one flat automaton.
  struct TrellisWords image;
  // Options of the plugin as one JSON object.
  struct TrellisStr options;
  // Seed of every random choice.
  uint64_t seed;
  // Wall time the engine is given, in milliseconds; 0 for no limit.
  uint64_t time_limit_ms;
} TrellisTask;

// The services of the host that every engine, pass and front end has.
//
// Thread: the functions marked `[engine]` are called on the thread that runs the engine only;
// those marked `[any]` from any thread.
typedef struct TrellisHost {
  // `sizeof(TrellisHost)` of the host.
  uint32_t size;
  // `TRELLIS_ABI_MINOR` of the host.
  uint32_t abi_minor;
  // First argument of every function here.
  void *context;
  // Not zero as soon as the engine should stop; may be read at any time from any thread. An
  // engine that does not stop soon after is killed.
  const uint32_t *cancelled;
  // `[engine]` Gives the answer, at most once: `TRELLIS_VERDICT_*` of an engine, `TRELLIS_REPORT_*` of a pass or
  // front end; `words` and `text` are copied.
  int32_t (*report)(void *context,
                    uint32_t verdict,
                    struct TrellisWords words,
                    struct TrellisStr text);
  // `[any]` Writes one message; copied.
  void (*log)(void *context, uint32_t level, struct TrellisStr text);
  // `[any]` Tells how far the engine is: a stage and a number that grows, such as the bound.
  void (*progress)(void *context, struct TrellisStr stage, uint64_t at);
  // `[engine]` An extension by its name (terminated by a zero), or null when the host lacks it.
  // The table is valid until `run` returns.
  const void *(*extension)(void *context, const char *name);
} TrellisHost;

// The functions of an engine.
typedef struct TrellisEngine {
  // `sizeof(TrellisEngine)`.
  uint32_t size;
  // Runs the engine on one task, once per process. The engine gives its verdict by
  // `host->report` before it returns. Returns 0, or a status below zero.
  //
  // Thread: the one that owns `host`. Ownership: `task`, `host` and all they point to are the
  // host's and valid until the function returns.
  int32_t (*run)(const struct TrellisTask *task, const struct TrellisHost *host);
} TrellisEngine;

// How to make a session.
typedef struct TrellisSessionConfig {
  // `sizeof(TrellisSessionConfig)`.
  uint32_t size;
  // Zero.
  uint32_t reserved;
  // Seed of every random choice of the solver. A host that lends sessions has its own.
  uint64_t seed;
  // Options of the backend as one JSON object of strings; may be empty.
  struct TrellisStr options;
} TrellisSessionConfig;

// Why a call failed.
typedef struct TrellisError {
  // `sizeof(TrellisError)`, set by the caller.
  uint32_t size;
  // The status that was returned.
  int32_t code;
  // Further data as the status says, otherwise 0.
  uint64_t number;
  // For people; valid until the next call on the same object.
  struct TrellisStr text;
} TrellisError;

// A table of SMT session functions.
//
// Threads: a session stays on the thread that opened it, but for `interrupt`, which any thread
// may call between `open` and `close`.
typedef struct TrellisSmt {
  // `sizeof(TrellisSmt)`.
  uint32_t size;
  // What its sessions can do: `TRELLIS_CAN_*`, added up.
  uint32_t capabilities;
  // First argument of `open`; null for a solver plugin.
  void *context;
  // A new session, or null and `error` filled (its text is valid until the next `open`).
  // The caller closes it. Ensures INPUT.
  void *(*open)(void *context, const struct TrellisSessionConfig *config, struct TrellisError *error);
  // Ends a session.
  void (*close)(void *session);
  // Name and version of the solver; valid until `close`.
  struct TrellisStr (*signature)(void *session);
  // Adds term nodes, arguments before users; see the word streams. Terms are numbered from 0
  // in the order in which a session gets them. A variable's number is the caller's own. On an
  // error no node of this call was added.
  int32_t (*add_terms)(void *session, struct TrellisWords nodes);
  // Asserts a boolean term at the current level. Ensures INPUT.
  int32_t (*assert)(void *session, uint32_t term);
  // Opens a level. Ensures INPUT.
  int32_t (*push)(void *session);
  // Closes levels, of which so many must be open. Ensures INPUT.
  int32_t (*pop)(void *session, uint32_t levels);
  // One of `TRELLIS_ANSWER_*` for all that is asserted and the boolean terms given, or a status
  // below zero. Ensures SAT, UNSAT, or INPUT after every other answer.
  int32_t (*check)(void *session, struct TrellisWords assumptions);
  // The value of a term in the model, as a word stream. Requires SAT.
  int32_t (*value)(void *session, uint32_t term, struct TrellisWords *out);
  // The assumptions that suffice for the answer, as term numbers. Requires UNSAT.
  int32_t (*unsat_core)(void *session, struct TrellisWords *out);
  // A formula over the variables `keep` that is true in the model and implies that the formulas
  // have a model. `out` is a word stream of nodes of its own, numbered from 0, the last one
  // being the formula. Requires SAT.
  int32_t (*generalize)(void *session,
                        struct TrellisWords formulas,
                        struct TrellisWords keep,
                        struct TrellisWords *out);
  // An interpolant of two terms as for `generalize`, or an empty stream when they are
  // satisfiable together. Ensures INPUT.
  int32_t (*interpolate)(void *session, uint32_t a, uint32_t b, struct TrellisWords *out);
  // Labels the following queries, for statistics; copied.
  void (*set_kind)(void *session, struct TrellisStr kind);
  // Limits of each following query, or `TRELLIS_NO_LIMIT`.
  void (*set_limits)(void *session, uint64_t wall_ns, uint64_t conflicts);
  // From any thread: 1 stops the running query and every later one, 0 allows queries again.
  void (*interrupt)(void *session, uint32_t set);
  // Why the last call on the session failed.
  void (*last_error)(void *session, struct TrellisError *error);
} TrellisSmt;

// Literals in the DIMACS convention.
typedef struct TrellisLiterals {
  // The first literal; may be null when `len` is 0.
  const int32_t *data;
  // Number of literals.
  size_t len;
} TrellisLiterals;

// Figures of a SAT session.
typedef struct TrellisSatStats {
  // `sizeof(TrellisSatStats)`, set by the caller.
  uint32_t size;
  // The largest variable.
  uint32_t variables;
  // Calls of `solve`.
  uint64_t solves;
  // Clauses added.
  uint64_t clauses;
  // Conflicts, or `TRELLIS_NO_LIMIT` when the solver does not tell.
  uint64_t conflicts;
  // Decisions, or `TRELLIS_NO_LIMIT` when the solver does not tell.
  uint64_t decisions;
  // Propagations, or `TRELLIS_NO_LIMIT` when the solver does not tell.
  uint64_t propagations;
  // Wall time inside `solve`.
  uint64_t time_ns;
} TrellisSatStats;

// A table of SAT session functions; the threads are as for `TrellisSmt`.
typedef struct TrellisSat {
  // `sizeof(TrellisSat)`.
  uint32_t size;
  // What its sessions can do: `TRELLIS_CAN_*`, added up.
  uint32_t capabilities;
  // First argument of `open`; null for a solver plugin.
  void *context;
  // A new session, or null and `error` filled (its text is valid until the next `open`).
  // The caller closes it. Ensures INPUT.
  void *(*open)(void *context, const struct TrellisSessionConfig *config, struct TrellisError *error);
  // Ends a session.
  void (*close)(void *session);
  // Name and version of the solver; valid until `close`.
  struct TrellisStr (*signature)(void *session);
  // A variable that did not exist before, or 0 on an error. Ensures INPUT.
  uint32_t (*new_var)(void *session);
  // Adds one clause for ever. Ensures INPUT.
  int32_t (*add_clause)(void *session, struct TrellisLiterals clause);
  // Assumes a literal in the next `solve`. Ensures INPUT.
  int32_t (*assume)(void *session, int32_t literal);
  // One of `TRELLIS_ANSWER_*`, or a status below zero. Ensures SAT, UNSAT, or INPUT.
  int32_t (*solve)(void *session);
  // 1 when the literal is true in the model, 0 when false, 2 when both values do, or a status
  // below zero. Requires SAT.
  int32_t (*value)(void *session, int32_t literal);
  // 1 when the assumption was used to refute the clauses, 0 when not, or a status below zero.
  // Requires UNSAT.
  int32_t (*failed)(void *session, int32_t literal);
  // Hint: decide the variable to make the literal true.
  void (*phase)(void *session, int32_t literal);
  // Limits of each following `solve`, or `TRELLIS_NO_LIMIT`.
  void (*set_limits)(void *session, uint64_t wall_ns, uint64_t conflicts);
  // From any thread: 1 stops the running query and every later one, 0 allows queries again.
  void (*interrupt)(void *session, uint32_t set);
  // Figures since `open`.
  void (*stats)(void *session, struct TrellisSatStats *stats);
  // Why the last call on the session failed.
  void (*last_error)(void *session, struct TrellisError *error);
} TrellisSat;

// The functions of a pass. Since ABI 1.2.
typedef struct TrellisPass {
  // `sizeof(TrellisPass)`.
  uint32_t size;
  // `TRELLIS_PROPERTY_*` of the programs that it works on, added up.
  uint32_t requires;
  // Those that hold of every program it makes.
  uint32_t ensures;
  // Those that may no longer hold of a program it makes.
  uint32_t destroys;
  // Transforms the program of `task`, once per process. The pass answers by `host->report`
  // before it returns: `TRELLIS_REPORT_UNCHANGED`, `TRELLIS_REPORT_PROGRAM` or
  // `TRELLIS_REPORT_REFUSED`. Returns 0, or a status below zero.
  //
  // Thread and ownership: as for an engine.
  int32_t (*run)(const struct TrellisTask *task, const struct TrellisHost *host);
} TrellisPass;

// What a front end has to read. Since ABI 1.2.
typedef struct TrellisSource {
  // `sizeof(TrellisSource)` of the host.
  uint32_t size;
  // Zero.
  uint32_t reserved;
  // What messages call it, usually the path of a file. Nothing is to be opened: it may be standard input.
  struct TrellisStr name;
  // The bytes of the source; any, not only text.
  struct TrellisStr bytes;
  // Options of the front end as one JSON object.
  struct TrellisStr options;
} TrellisSource;

// The functions of a front end. Since ABI 1.2.
typedef struct TrellisFrontEnd {
  // `sizeof(TrellisFrontEnd)`.
  uint32_t size;
  // Zero.
  uint32_t reserved;
  // The extensions of its files without the dot, separated by spaces, terminated by a zero.
  const char *extensions;
  // Reads `source`, once per process. The front end answers by `host->report` before it returns:
  // `TRELLIS_REPORT_PROGRAM` or `TRELLIS_REPORT_REFUSED`. Returns 0, or a status below zero.
  //
  // Thread and ownership: as for an engine.
  int32_t (*run)(const struct TrellisSource *source, const struct TrellisHost *host);
} TrellisFrontEnd;

// The descriptor of a plugin: constant data, valid as long as the library is loaded.
//
// A library exports it as the data symbol `trellis_plugin`. A library whose code may also be
// linked statically beside others exports `trellis_plugin_NAME` instead, where `NAME` is the
// library's file name without `lib` and extension.
typedef struct TrellisPlugin {
  // `TRELLIS_MAGIC`.
  uint8_t magic[8];
  // `TRELLIS_ABI_MAJOR` of the header it was compiled with.
  uint16_t abi_major;
  // `TRELLIS_ABI_MINOR` of the header it was compiled with.
  uint16_t abi_minor;
  // `sizeof(TrellisPlugin)`.
  uint32_t size;
  // `sizeof(TrellisHost)` it was compiled with.
  uint32_t host_size;
  // `sizeof(TrellisTask)` it was compiled with.
  uint32_t task_size;
  // `TRELLIS_IMAGE_VERSION`, or 0 when it reads no image.
  uint32_t image_version;
  // `TRELLIS_TEXT_VERSION`, or 0 when it reads no text.
  uint32_t text_version;
  // `TRELLIS_KIND_*`.
  uint32_t kind;
  // Zero.
  uint32_t reserved;
  // Its name in pipelines: lower-case letters, digits and dashes, terminated by a zero.
  const char *id;
  // Its own version, terminated by a zero.
  const char *version;
  // One line for people, terminated by a zero.
  const char *description;
  // SPDX expression, terminated by a zero.
  const char *licence;
  // Its options as JSON, terminated by a zero:
  // `{"options":[{"name":"depth","type":"integer","default":"10","doc":"..."}]}`. The types
  // are `integer`, `boolean`, `number`, `string` and `a|b|c` for a choice of words.
  const char *options;
  // The functions of an engine; null for other kinds.
  const struct TrellisEngine *engine;
  // The SMT sessions of a solver; null when it has none.
  const struct TrellisSmt *smt;
  // The SAT sessions of a solver; null when it has none.
  const struct TrellisSat *sat;
  // The functions of a pass; null for other kinds. Since ABI 1.2.
  const struct TrellisPass *pass;
  // The functions of a front end; null for other kinds. Since ABI 1.2.
  const struct TrellisFrontEnd *frontend;
} TrellisPlugin;

// Extension `trellis.lemmas/1`: facts shared between engines.
typedef struct TrellisLemmas {
  // `sizeof(TrellisLemmas)` of the host.
  uint32_t size;
  // Zero.
  uint32_t reserved;
  // First argument of every function here.
  void *context;
  // `[engine]` Offers lemmas to the others. The words are copied; see the word streams.
  int32_t (*publish)(void *context, struct TrellisWords lemmas);
  // `[any]` The number of lemmas on the board; grows.
  uint64_t (*count)(void *context);
  // `[engine]` Lemmas from number `from` on, the first one being 0; perhaps not all there are.
  // `from` is 0 or where an earlier call ended. `out` is valid until the next call of `read`.
  int32_t (*read)(void *context, uint64_t from, struct TrellisWords *out);
} TrellisLemmas;

// Extension `trellis.text/1`: the program in the text form.
typedef struct TrellisText {
  // `sizeof(TrellisText)` of the host.
  uint32_t size;
  // `TRELLIS_TEXT_VERSION` of the host.
  uint32_t version;
  // First argument of every function here.
  void *context;
  // `[engine]` The text; entities have the numbers they have in the image. `out` is valid
  // until `run` returns.
  int32_t (*program)(void *context, struct TrellisStr *out);
} TrellisText;

#endif  /* TRELLIS_H */
