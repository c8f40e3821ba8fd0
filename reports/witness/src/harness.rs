//! A counterexample as a C file: linked with the program it supplies the values that the trace
//! chose, in the order in which the program asks for them, and notices that the error is reached.

use std::collections::BTreeMap;
use std::fmt::Write;
use trellis_ivl::{Machine, Program, Trace, Type, Value};

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
    /// Variables whose arbitrary initial values matter to the model and that no caller can set.
    pub uninitialised: Vec<String>,
    /// The property that is violated.
    pub property: String,
}

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

/// Makes the harness of a trace that ends at an error.
pub fn harness(program: &Program, trace: &Trace) -> Result<Harness, HarnessError> {
    let end = trellis_ivl::interp::replay(program, trace).map_err(|_| HarnessError::NoTrace)?;
    let trellis_ivl::LocKind::Error(property) = &program.locs[end].kind else {
        return Err(HarnessError::NoTrace);
    };
    let mut functions: BTreeMap<&str, &str> = BTreeMap::new();
    let mut values = String::new();
    let mut uninitialised = Vec::new();
    let mut machine = Machine::for_trace(program, trace).map_err(|_| HarnessError::NoTrace)?;
    for step in &trace.steps {
        machine.replay(step).map_err(|_| HarnessError::NoTrace)?;
        for (input, value) in &step.inputs {
            let data = &program.inputs[*input];
            let Some(function) = data.name.strip_suffix("()") else {
                if !uninitialised.contains(&data.name) {
                    uninitialised.push(data.name.clone());
                }
                continue;
            };
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
            let _ = writeln!(values, "  {{\"{function}\", {number}ULL}},");
        }
    }
    Ok(Harness {
        text: text(&functions, &values, property),
        uninitialised,
        property: property.to_string(),
    })
}

fn text(functions: &BTreeMap<&str, &str>, values: &str, property: &str) -> String {
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
    out += "static const struct { const char *function; unsigned long long value; } values[] = {\n";
    out += values;
    out += "  {\"\", 0},\n};\nstatic unsigned long next;\n\n";
    let _ = writeln!(
        out,
        "static void end(int code, const char *text) {{\n  printf(\"harness: %s\\n\", text);\n  fflush(0);\n  _exit(code);\n}}\n"
    );
    let _ = writeln!(
        out,
        "static unsigned long long value_of(const char *function) {{\n  if (strcmp(values[next].function, function) != 0)\n    end({ASTRAY}, \"the program asks for other values than the trace has\");\n  return values[next++].value;\n}}\n"
    );
    let reached = match property {
        "unreach-call" => format!("end({REACHED}, \"the error is reached\");"),
        _ => "_exit(0);".into(),
    };
    for name in ["reach_error", "__VERIFIER_error"] {
        let _ = writeln!(out, "void {name}(void) {{ {reached} }}");
    }
    let _ = writeln!(
        out,
        "void __VERIFIER_assume(int holds) {{\n  if (!holds)\n    end({BLOCKED}, \"an assumption does not hold\");\n}}"
    );
    for (function, ty) in functions {
        let body = match *ty {
            // The bits are the value.
            "float" | "double" => {
                format!("{ty} value;\n  memcpy(&value, &bits, sizeof value);\n  return value;")
            }
            _ if ty.ends_with('*') => format!("return ({ty})(__UINTPTR_TYPE__)bits;"),
            _ => format!("return ({ty})bits;"),
        };
        let _ = writeln!(
            out,
            "{ty} {function}(void) {{\n  unsigned long long bits = value_of(\"{function}\");\n  {body}\n}}"
        );
    }
    out
}

/// Compiler options under which a violation of a property ends the program.
pub fn sanitizers(property: &str) -> &'static [&'static str] {
    match property {
        "no-overflow" => &[
            "-fsanitize=signed-integer-overflow",
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
