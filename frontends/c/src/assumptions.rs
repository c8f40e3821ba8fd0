//! What a verdict takes for granted, told: each assumption has a name, and each place that rests on one is an entry of
//! the program's ledger.
//!
//! The lowering asks [`Lowerer::take_for_granted`](crate::lower) where it would otherwise decide in silence. Granted,
//! the assumption is recorded with what it is about and where; refused, the lowering models the alternative or ends in
//! an incomplete location. Nothing is recorded for what is declared and never executed.

use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::Span;
use trellis_ivl::nearest::nearest;

/// Something that a verdict may rest on although the program does not promise it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assumption {
    /// Addresses are those of the model.
    AddressLayout,
    /// What the caller of `main` hands over.
    ArgvWellFormed,
    /// The order in which gcc evaluates.
    EvaluationOrder,
    /// Functions without bodies return any value and change nothing.
    ExternFunctionsChangeNothing,
    /// Pointers from outside lead to nothing the program names.
    ExternPointersLeadElsewhere,
    /// Floating expressions are evaluated in their own types.
    FloatEvaluation,
    /// Arguments of the function a check begins at.
    FunctionArguments,
    /// What is on the heap at `exit` is no leak.
    HeapAtExitIsTracked,
    /// What is known of sin, exp and their like.
    LibmBounds,
    /// What the C library remembers where a function is checked on its own.
    LibraryState,
    /// Variables that change between `setjmp` and `longjmp` keep their values.
    LongjmpKeepsLocals,
    /// Allocation never fails.
    MallocSucceeds,
    /// The model's address space is large enough.
    MemorySuffices,
    /// The sign of what is not a number.
    NanIsPositive,
    /// Functions without bodies that have names of the compiler's return any value and change nothing.
    ReservedFunctionsChangeNothing,
    /// Recursion and automatic arrays fit the stack.
    StackSuffices,
    /// Volatile objects change only by the program's stores.
    VolatileIsMemory,
}

/// A row of the table of assumptions.
struct Row {
    which: Assumption,
    name: &'static str,
    /// The name of its contrary, where that has one: granting the one refuses the other.
    contrary: Option<&'static str>,
    explanation: &'static str,
    /// Whether it is granted for a plain C file.
    plain: bool,
    /// Whether it is granted for tasks of SV-COMP, whose rules grant it.
    task: bool,
}

/// All of them, by name.
const TABLE: &[Row] = &[
    Row {
        which: Assumption::AddressLayout,
        name: "address-layout",
        contrary: None,
        explanation: "addresses as numbers are those of the model; the program's meaning does not depend on them",
        plain: true,
        task: true,
    },
    Row {
        which: Assumption::ArgvWellFormed,
        name: "argv-well-formed",
        contrary: None,
        explanation: "argc is not negative and argv holds that many strings and a null pointer",
        plain: true,
        task: true,
    },
    Row {
        which: Assumption::EvaluationOrder,
        name: "evaluation-order",
        contrary: None,
        explanation: "where C leaves the order of evaluation open and it matters, it is gcc's",
        plain: true,
        task: true,
    },
    Row {
        which: Assumption::ExternFunctionsChangeNothing,
        name: "extern-functions-change-nothing",
        contrary: None,
        explanation: "functions without bodies return any value and change nothing",
        plain: true,
        task: true,
    },
    Row {
        which: Assumption::ExternPointersLeadElsewhere,
        name: "extern-pointers-lead-elsewhere",
        contrary: None,
        explanation: "pointers from outside of the program lead to nothing it names, but for what it compares them with",
        plain: true,
        task: true,
    },
    Row {
        which: Assumption::FloatEvaluation,
        name: "float-evaluation",
        contrary: None,
        explanation: "floating expressions are evaluated in their own types, as with gcc's -msse2 -mfpmath=sse, not in wider ones",
        plain: true,
        task: true,
    },
    Row {
        which: Assumption::FunctionArguments,
        name: "function-arguments",
        contrary: None,
        explanation: "pointers that the function of --function gets lead to nothing the program names",
        plain: true,
        task: true,
    },
    Row {
        which: Assumption::HeapAtExitIsTracked,
        name: "heap-at-exit-is-tracked",
        contrary: None,
        explanation: "what is alive on the heap when exit is called is still referred to, so that it is no leak",
        plain: true,
        task: false,
    },
    Row {
        which: Assumption::LibmBounds,
        name: "libm-bounds",
        contrary: None,
        explanation: "results of functions like sin and exp are in their mathematical range; nothing else is known of them",
        plain: true,
        task: true,
    },
    Row {
        which: Assumption::LibraryState,
        name: "library-state",
        contrary: None,
        explanation: "where a function is checked on its own, the C library remembers nothing: errno, strtok and rand are as in the beginning",
        plain: true,
        task: true,
    },
    Row {
        which: Assumption::LongjmpKeepsLocals,
        name: "longjmp-keeps-locals",
        contrary: None,
        explanation: "automatic variables that change between setjmp and longjmp keep their values",
        plain: true,
        task: true,
    },
    Row {
        which: Assumption::MallocSucceeds,
        name: "malloc-succeeds",
        contrary: Some("malloc-may-fail"),
        explanation: "malloc, calloc, realloc and their relatives never return a null pointer",
        plain: false,
        task: true,
    },
    Row {
        which: Assumption::MemorySuffices,
        name: "memory-suffices",
        contrary: None,
        explanation: "no run needs more objects on heap and stack, or larger ones, than the address space of the model has room for",
        plain: true,
        task: true,
    },
    Row {
        which: Assumption::NanIsPositive,
        name: "nan-is-positive",
        contrary: None,
        explanation: "an operation whose result is not a number gives a positive NaN, where the program asks for its sign",
        plain: true,
        task: true,
    },
    Row {
        which: Assumption::ReservedFunctionsChangeNothing,
        name: "reserved-functions-change-nothing",
        contrary: None,
        explanation: "functions without bodies whose names C reserves for compilers return any value and change nothing",
        plain: false,
        task: true,
    },
    Row {
        which: Assumption::StackSuffices,
        name: "stack-suffices",
        contrary: None,
        explanation: "recursive calls, variable-length arrays and alloca do not exhaust the stack",
        plain: true,
        task: true,
    },
    Row {
        which: Assumption::VolatileIsMemory,
        name: "volatile-is-memory",
        contrary: None,
        explanation: "volatile objects change only by the program's own stores",
        plain: true,
        task: true,
    },
];

impl Assumption {
    fn row(self) -> &'static Row {
        let row = TABLE.iter().find(|row| row.which == self);
        row.expect("every assumption has a row, as a test says")
    }

    /// All of them, by name.
    pub fn all() -> impl Iterator<Item = Assumption> {
        TABLE.iter().map(|row| row.which)
    }

    /// Its name on the command line and in reports.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The name of its contrary, where that has one.
    pub fn contrary(self) -> Option<&'static str> {
        self.row().contrary
    }

    /// One line for people.
    pub fn explanation(self) -> &'static str {
        self.row().explanation
    }

    /// Whether it is granted for a plain C file.
    pub fn by_default(self) -> bool {
        self.row().plain
    }
}

/// Which assumptions may be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Granted(BTreeSet<Assumption>);

impl Default for Granted {
    /// As SV-COMP has it, like the other defaults of the front end.
    fn default() -> Self {
        Granted::task()
    }
}

impl Granted {
    /// For a plain C file: what a developer takes for granted, but for memory without end.
    pub fn plain() -> Granted {
        Granted::of(|row| row.plain)
    }

    /// For tasks and properties of SV-COMP, whose rules say that allocation succeeds.
    pub fn task() -> Granted {
        Granted::of(|row| row.task)
    }

    /// None.
    pub fn none() -> Granted {
        Granted(BTreeSet::new())
    }

    fn of(granted: impl Fn(&Row) -> bool) -> Granted {
        let rows = TABLE.iter().filter(|row| granted(row));
        Granted(rows.map(|row| row.which).collect())
    }

    /// Whether it may be made.
    pub fn has(&self, which: Assumption) -> bool {
        self.0.contains(&which)
    }

    /// Grants one.
    pub fn grant(&mut self, which: Assumption) {
        self.0.insert(which);
    }

    /// Grants or refuses an assumption by its name or that of its contrary; an unknown name is an error for people.
    pub fn set(&mut self, name: &str, grant: bool) -> Result<(), String> {
        let row = |r: &&Row| r.name == name || r.contrary == Some(name);
        let Some(row) = TABLE.iter().find(row) else {
            return Err(unknown(name));
        };
        match grant == (row.name == name) {
            true => self.0.insert(row.which),
            false => self.0.remove(&row.which),
        };
        Ok(())
    }
}

fn unknown(name: &str) -> String {
    let names = || {
        let both = TABLE.iter().flat_map(|r| [Some(r.name), r.contrary]);
        both.flatten()
    };
    let hint = nearest(name, names());
    let hint = hint.map_or(String::new(), |h| format!(", did you mean '{h}'?"));
    let known: Vec<&str> = names().collect();
    format!(
        "there is no assumption '{name}'{hint} (known: {})",
        known.join(", ")
    )
}

/// An assumption that the lowered program rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Which.
    pub assumption: Assumption,
    /// What it is about here: the function without a body, the variable.
    pub detail: String,
    /// Where it was made, by line; the spans are those of the lowered program.
    pub places: Vec<Span>,
}

/// The entries of a program: each pair of assumption and detail once, in order.
#[derive(Clone, Debug, Default)]
pub struct Ledger(BTreeMap<(Assumption, String), Vec<Span>>);

impl Ledger {
    /// Adds a place that rests on an assumption.
    pub fn record(&mut self, assumption: Assumption, detail: String, place: Span) {
        let places = self.0.entry((assumption, detail)).or_default();
        if !places.contains(&place) {
            places.push(place);
        }
    }

    /// All entries in order.
    pub fn into_entries(self) -> Vec<Entry> {
        let key = |s: &Span| (s.file(), s.line, s.column);
        let entry = |((assumption, detail), mut places): ((Assumption, String), Vec<Span>)| {
            places.sort_by_key(key);
            Entry {
                assumption,
                detail,
                places,
            }
        };
        self.0.into_iter().map(entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_names_are_unique() {
        let names: Vec<&str> = TABLE.iter().map(|r| r.name).collect();
        assert!(names.is_sorted());
        let order: Vec<Assumption> = Assumption::all().collect();
        assert!(order.is_sorted(), "the enum has the order of the names");
        let contraries: Vec<&str> = TABLE.iter().filter_map(|r| r.contrary).collect();
        assert!(contraries.iter().all(|c| !names.contains(c)));
    }

    #[test]
    fn names_and_contraries() {
        let mut granted = Granted::plain();
        assert!(!granted.has(Assumption::MallocSucceeds));
        granted.set("malloc-may-fail", false).expect("known");
        assert!(granted.has(Assumption::MallocSucceeds));
        granted.set("malloc-succeeds", false).expect("known");
        assert!(!granted.has(Assumption::MallocSucceeds));
        granted.set("evaluation-order", false).expect("known");
        assert!(!granted.has(Assumption::EvaluationOrder));
        let message = granted.set("malloc-suceeds", true).expect_err("unknown");
        assert!(
            message.contains("did you mean 'malloc-succeeds'?"),
            "{message}"
        );
    }
}
