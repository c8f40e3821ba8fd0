//! A counterexample as a C file: linked with the program it supplies the values that the trace
//! chose, in the order in which the program asks for them, and notices that the error is reached.
//!
//! It stands in for functions that nobody else defines, never for the C library's: a run with another library than the
//! program's own would confirm what the library does not do.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use trellis_frontend_c::types::FloatKind;
use trellis_ivl::termination::TERMINATION;
use trellis_ivl::{Input, Loc, Program, Trace, Type, Value};

/// The process ends with this code when the error is reached.
pub const REACHED: i32 = 107;
/// The program asked for more values than the trace has, or for others.
pub const ASTRAY: i32 = 108;
/// An assumption did not hold.
pub const BLOCKED: i32 = 109;

/// Why there is no harness.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum HarnessError {
    /// The trace is not one of the program.
    #[error("the trace does not replay")]
    NoTrace,
    /// A value that C has no literal for.
    #[error("{0} returns a value of type {1}, which a harness cannot supply")]
    Type(String, Type),
}

/// A harness and what it cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harness {
    /// The C file.
    pub text: String,
    /// What has values in the trace that no caller can set: uninitialised variables, results of the C library,
    /// allocations that fail.
    pub unset: Vec<String>,
    /// The property that is violated.
    pub property: String,
}

/// How the name of an input ends that says whether a function of the C library fails.
const FAILS: &str = " fails";

/// Types of the `__VERIFIER_nondet_*` functions by the end of their names.
const TYPES: &[(&str, &str)] = &[
    ("bool", "_Bool"),
    ("char", "char"),
    ("uchar", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("int", "int"),
    ("uint", "unsigned int"),
    ("unsigned", "unsigned int"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("longlong", "long long"),
    ("ulonglong", "unsigned long long"),
    ("float", "float"),
    ("double", "double"),
    ("pointer", "void *"),
    ("size_t", "unsigned long"),
    ("loff_t", "long long"),
    ("sector_t", "unsigned long"),
    ("charp", "char *"),
    ("pchar", "char *"),
    ("u8", "unsigned char"),
    ("u16", "unsigned short"),
    ("u32", "unsigned int"),
    ("u64", "unsigned long long"),
    ("s8", "signed char"),
    ("s16", "short"),
    ("s32", "int"),
    ("s64", "long long"),
];

/// Whether a function returns signed numbers, as far as its name tells.
pub fn returns_signed(function: &str) -> Option<bool> {
    let suffix = function.strip_prefix("__VERIFIER_nondet_")?;
    let (_, ty) = TYPES.iter().find(|(name, _)| *name == suffix)?;
    Some(is_signed(ty))
}

/// The floating type that a function returns, as far as its name tells.
pub fn returns_float(function: &str) -> Option<FloatKind> {
    match function.strip_prefix("__VERIFIER_nondet_")? {
        "float" => Some(FloatKind::Float),
        "double" => Some(FloatKind::Double),
        _ => None,
    }
}

/// The C type that a function returns: by its name, else an unsigned one of the right width,
/// which every calling convention we compile for returns in the same register.
fn return_type(function: &str, width: u32) -> Option<&'static str> {
    let suffix = function.strip_prefix("__VERIFIER_nondet_");
    if let Some((_, ty)) = suffix.and_then(|s| TYPES.iter().find(|(name, _)| *name == s)) {
        return Some(ty);
    }
    Some(match width {
        1..=8 => "unsigned char",
        9..=16 => "unsigned short",
        17..=32 => "unsigned int",
        33..=64 => "unsigned long long",
        _ => return None,
    })
}

fn is_signed(ty: &str) -> bool {
    matches!(
        ty,
        "char" | "signed char" | "short" | "int" | "long" | "long long"
    )
}

/// The functions without bodies that a trace has values of.
pub fn suppliers<'v>(
    program: &Program,
    inputs: impl IntoIterator<Item = &'v (Input, Value)>,
) -> BTreeSet<String> {
    let inputs = inputs.into_iter();
    let names = inputs.map(|(input, _)| &program.inputs[*input].name);
    let functions = names.filter_map(|name| name.strip_suffix("()"));
    functions.map(str::to_string).collect()
}

/// Makes the harness of a trace that ends at an error. Functions of `library` stay what they are.
pub fn harness(
    program: &Program,
    trace: &Trace,
    library: &BTreeSet<String>,
) -> Result<Harness, HarnessError> {
    let end = trellis_ivl::interp::replay(program, trace).map_err(|_| HarnessError::NoTrace)?;
    let inputs = trace.steps.iter().flat_map(|step| &step.inputs);
    harness_of_inputs(program, end, inputs, library)
}

/// Makes the harness of an execution that ends at an error location, by the inputs that it reads.
pub fn harness_of_inputs<'v>(
    program: &Program,
    end: Loc,
    inputs: impl IntoIterator<Item = &'v (Input, Value)>,
    library: &BTreeSet<String>,
) -> Result<Harness, HarnessError> {
    let trellis_ivl::LocKind::Error(property) = &program.locs[end].kind else {
        return Err(HarnessError::NoTrace);
    };
    let supply = supply(program, inputs, library)?;
    Ok(supply.harness(property, None))
}

/// Makes the harness of an execution that does not end, by the inputs on the way to its loop, and those of a round of at most
/// `steps` steps.
pub fn harness_of_loop<'v>(
    program: &Program,
    stem: impl IntoIterator<Item = &'v (Input, Value)>,
    round: impl IntoIterator<Item = &'v (Input, Value)>,
    steps: usize,
    library: &BTreeSet<String>,
) -> Result<Harness, HarnessError> {
    let stem: Vec<&(Input, Value)> = stem.into_iter().collect();
    let again = supply(program, stem.iter().copied(), library)?.count;
    let supply = supply(program, stem.into_iter().chain(round), library)?;
    // Compilers make fewer blocks than there are steps.
    let blocks = ROUNDS * (2 * steps as u64 + 16);
    Ok(supply.harness(TERMINATION, Some(Again { again, blocks })))
}

/// How often an endless execution is to go round before it counts as one.
pub const ROUNDS: u64 = 100_000;

/// The first value that comes again, and after how many blocks of the compiled program it is in its loop still.
struct Again {
    again: usize,
    blocks: u64,
}

/// Values for functions, and what no function can supply.
struct Supply<'p> {
    functions: BTreeMap<&'p str, &'static str>,
    values: String,
    count: usize,
    unset: Vec<String>,
}

impl Supply<'_> {
    fn harness(self, property: &str, again: Option<Again>) -> Harness {
        Harness {
            text: text(&self, property, again),
            unset: self.unset,
            property: property.to_string(),
        }
    }
}

fn supply<'p, 'v>(
    program: &'p Program,
    inputs: impl IntoIterator<Item = &'v (Input, Value)>,
    library: &BTreeSet<String>,
) -> Result<Supply<'p>, HarnessError> {
    let mut functions: BTreeMap<&str, &str> = BTreeMap::new();
    let mut count = 0;
    let mut values = String::new();
    let mut unset: Vec<String> = Vec::new();
    let mut cannot_set = |what: String| {
        if !unset.contains(&what) {
            unset.push(what);
        }
    };
    for (input, value) in inputs {
        let data = &program.inputs[*input];
        let Some(function) = data.name.strip_suffix("()") else {
            match data.name.strip_suffix(FAILS) {
                // It succeeds, as it will when the program runs.
                Some(_) if *value == Value::zero(data.ty) => {}
                Some(function) => cannot_set(format!("{function} failing")),
                None if data.name.starts_with("what ") => cannot_set(data.name.clone()),
                None => cannot_set(format!("uninitialised {}", data.name)),
            }
            continue;
        };
        if library.contains(function) {
            cannot_set(format!("what {function} returns"));
            continue;
        }
        let wrong = || HarnessError::Type(function.into(), data.ty);
        let Value::Bv(bits) = value else {
            return Err(wrong());
        };
        let ty = return_type(function, bits.width()).ok_or_else(wrong)?;
        // A type may be wider for the compiler than in the model: extend as C would.
        let number = match is_signed(ty) {
            true => bits.to_i64().map(i64::cast_unsigned),
            false => bits.to_u64(),
        };
        let number = number.ok_or_else(wrong)?;
        functions.insert(function, ty);
        count += 1;
        let bytes = bits.width().div_ceil(8);
        let _ = writeln!(values, "  {{\"{function}\", {number}ULL, {bytes}}},");
    }
    Ok(Supply {
        functions,
        values,
        count,
        unset,
    })
}

/// What every harness begins with, after the values.
const SUPPLY: &str = r#"
static unsigned long next;

static void end(int code, const char *text) {
  printf("harness: %s\n", text);
  fflush(0);
  _exit(code);
}

static unsigned long long value_of(const char *function) {
  if (next == COUNT)
    next = AGAIN;
  if (strcmp(values[next].function, function) != 0)
    end(ASTRAY, "the program asks for other values than the trace has");
  return values[next++].value;
}
"#;

/// What the names of errors, assertions and assumptions do. A program that defines assertions itself calls the
/// errors above; the assertions of the C library abort, which whoever runs the program sees.
const VOCABULARY: &str = r#"
void reach_error(void) { error(); }
void __VERIFIER_error(void) { error(); }
void __VERIFIER_assume(int holds) {
  if (!holds)
    end(BLOCKED, "an assumption does not hold");
}
__attribute__((weak)) void __VERIFIER_assert(int holds) {
  if (!holds)
    error();
}
__attribute__((weak)) void assert(int holds) {
  if (!holds)
    error();
}
__attribute__((weak)) void assume_abort_if_not(int holds) { __VERIFIER_assume(holds); }
__attribute__((weak)) void __CPROVER_assume(int holds) { __VERIFIER_assume(holds); }
__attribute__((weak)) void __CPROVER_assert(int holds, const char *text) {
  if (!holds)
    error();
}
"#;

/// Leaks count where the program aborts, too; the buffer of standard output is none of its blocks.
const LEAKS: &str = r#"
extern void __lsan_do_leak_check(void);
extern int setvbuf(void *, char *, int, __SIZE_TYPE__);
extern void *stdout;
extern void (*signal(int, void (*)(int)))(int);
static void error(void) {
  __lsan_do_leak_check();
  _exit(0);
}
static void aborted(int signal) { error(); }
__attribute__((constructor)) static void prepare(void) {
  setvbuf(stdout, 0, 2, 0);
  signal(6, aborted);
}
"#;

/// Every block of the compiled program counts, but for this function's.
const ENDLESS: &str = r#"
static unsigned long long blocks;
__attribute__((no_sanitize_coverage)) void __sanitizer_cov_trace_pc(void) {
  if (++blocks > BLOCKS)
    _exit(REACHED);
}
static void error(void) { end(0, "an error ends the program"); }
"#;

fn text(supply: &Supply<'_>, property: &str, again: Option<Again>) -> String {
    let (functions, values) = (&supply.functions, &supply.values);
    let mut out = format!(
        "/* Leads the program to a violation of {property}. Compile it before the program, whose own\n\
         \x20  definitions of the functions below it replaces:\n\
         \x20    cc -O0 -w {} -Wl,--allow-multiple-definition THIS.c PROGRAM.c\n\
         \x20  Exit code {REACHED}: the error is reached. */\n",
        sanitizers(property).join(" ")
    );
    out +=
        "extern int printf(const char *, ...);\nextern int strcmp(const char *, const char *);\n";
    out += "extern void *memcpy(void *, const void *, __SIZE_TYPE__);\nextern void _exit(int);\n";
    out += "extern int fflush(void *);\n\n";
    let _ = writeln!(
        out,
        "enum {{ REACHED = {REACHED}, ASTRAY = {ASTRAY}, BLOCKED = {BLOCKED} }};\n"
    );
    out += "static const struct { const char *function; unsigned long long value; int bytes; } values[] = {\n";
    out += values;
    out += "  {\"\", 0, 0},\n};\n";
    let first = again.as_ref().map_or(supply.count, |a| a.again);
    let _ = writeln!(out, "enum {{ COUNT = {}, AGAIN = {first} }};", supply.count);
    if let Some(again) = &again {
        let _ = writeln!(out, "#define BLOCKS {}ULL", again.blocks);
    }
    out += SUPPLY;
    out += match property {
        TERMINATION => ENDLESS,
        "unreach-call" => "\nstatic void error(void) { end(REACHED, \"the error is reached\"); }\n",
        "valid-memtrack" | "valid-memcleanup" => LEAKS,
        _ => "\nstatic void error(void) { _exit(0); }\n",
    };
    out += VOCABULARY;
    for (function, ty) in functions {
        out += &match *function {
            FILL => fill(),
            _ => supplier(function, ty),
        };
    }
    out
}

/// A function that fills a block with any bytes; the trace has them in units.
const FILL: &str = "__VERIFIER_nondet_memory";

fn fill() -> String {
    format!(
        "void {FILL}(void *block, __SIZE_TYPE__ size) {{\n  \
           for (__SIZE_TYPE__ at = 0; at < size;) {{\n    \
             int bytes = values[next].bytes;\n    \
             unsigned long long bits = value_of(\"{FILL}\");\n    \
             memcpy((char *)block + at, &bits, bytes);\n    \
             at += bytes;\n  }}\n}}\n"
    )
}

/// A function that returns the next value of the trace.
fn supplier(function: &str, ty: &str) -> String {
    let body = match ty {
        // The bits are the value.
        "float" | "double" => {
            format!("{ty} value;\n  memcpy(&value, &bits, sizeof value);\n  return value;")
        }
        _ if ty.ends_with('*') => format!("return ({ty})(__UINTPTR_TYPE__)bits;"),
        _ => format!("return ({ty})bits;"),
    };
    format!(
        "{ty} {function}(void) {{\n  unsigned long long bits = value_of(\"{function}\");\n  {body}\n}}\n"
    )
}

/// Compiler options under which a violation of a property ends the program.
pub fn sanitizers(property: &str) -> &'static [&'static str] {
    match property {
        TERMINATION => &["-fsanitize-coverage=trace-pc"],
        "no-overflow" => &[
            "-fsanitize=signed-integer-overflow,shift-base",
            "-fno-sanitize-recover=all",
        ],
        "div-by-zero" => &[
            "-fsanitize=integer-divide-by-zero",
            "-fno-sanitize-recover=all",
        ],
        "shift-range" => &["-fsanitize=shift", "-fno-sanitize-recover=all"],
        "valid-deref" | "valid-free" | "valid-memtrack" | "valid-memcleanup" => &[
            "-fsanitize=address,bounds,null",
            "-fno-sanitize-recover=all",
        ],
        _ => &[],
    }
}
