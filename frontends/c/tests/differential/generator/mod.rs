//! A generator of C programs for what csmith leaves out: unions, bit-fields of every width, packed and
//! aligned structs, flexible arrays, compound literals, designated initialisers, statics with addresses,
//! function pointers, variable arguments, strings, `__int128`, jumps, the library's memory functions, floating point.
//!
//! A program is a handful of *units*, each about one thing, with declarations of its own and a function
//! that main calls. A unit mixes what it computes into a checksum. No unit has undefined behaviour:
//! expressions know the interval of their value ([`expr`]), indices and shifts are masked, and what C
//! leaves open (padding, bytes of a union beyond the member last written) is not read.
//!
//! A unit has a seed of its own, so that it is the same alone as among others: where a program differs,
//! its units are tried one by one.

mod addresses;
mod arbitrary;
mod control;
mod expr;
mod floats;
mod functions;
mod initializers;
mod int;
mod layout;
mod library;
mod literals;
mod record;
mod scalars;
mod statement;
mod types;
mod unions;
mod varargs;

use crate::compare::Case;
use int::Int;
use std::fmt::Write;
use trellis_frontend_c::lower::Properties;
use trellis_frontend_c::types::DataModel;
use trellis_ivl_testing::Rng;

/// Makes a unit.
type Unit = fn(&mut Gen);

/// The units that there are.
const UNITS: &[(&str, Unit)] = &[
    ("scalars", scalars::unit),
    ("constants", scalars::constants),
    ("records", record::unit),
    ("layout", layout::unit),
    ("unions", unions::unit),
    ("initializers", initializers::unit),
    ("literals", literals::compound),
    ("strings", literals::strings),
    ("flexible", literals::flexible),
    ("addresses", addresses::unit),
    ("lists", addresses::lists),
    ("functions", functions::unit),
    ("recursion", functions::recursion),
    ("varargs", varargs::unit),
    ("jumps", control::jumps),
    ("switches", control::switches),
    ("loops", control::loops),
    ("blocks", library::blocks),
    ("heap", library::heap),
    ("floats", floats::unit),
];

/// Units of one program.
const UNITS_PER_PROGRAM: usize = 3;

/// What every program begins with: the checksum, and library functions without their headers.
const PRELUDE: &str = "\
typedef unsigned long size_t;
typedef long ptrdiff_t;
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
char *strchr(const char *, int);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
int printf(const char *, ...);
static unsigned checksum = 1;
static void mix(unsigned long long v)
{
  checksum = (checksum ^ (unsigned)v) * 0x01000193u;
  checksum = (checksum ^ (unsigned)(v >> 32)) * 0x85ebca6bu;
  checksum ^= checksum >> 15;
}
";

/// A unit in the making.
pub struct Gen {
    pub rng: Rng,
    pub model: DataModel,
    /// Every integer type of the data model.
    pub types: Vec<Int>,
    /// Names of the unit begin with this.
    prefix: String,
    names: u32,
    /// Expressions are to be constant.
    constant: bool,
    /// What stands at file scope.
    decls: String,
    /// The unit's function.
    body: String,
}

impl Gen {
    fn new(seed: u64, number: usize, model: DataModel) -> Gen {
        Gen {
            rng: Rng::new(seed),
            model,
            types: int::all(model),
            prefix: format!("u{number}"),
            names: 0,
            constant: false,
            decls: String::new(),
            body: String::new(),
        }
    }

    /// A name that no other thing has.
    pub fn fresh(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{}_{kind}{}", self.prefix, self.names)
    }

    /// Adds a line at file scope.
    pub fn declare(&mut self, text: impl AsRef<str>) {
        self.decls += text.as_ref();
        self.decls.push('\n');
    }

    /// Adds a line to the unit's function.
    pub fn line(&mut self, text: impl AsRef<str>) {
        writeln!(self.body, "  {}", text.as_ref()).expect("a string grows");
    }

    /// Runs `make` and gives back what it adds to the function instead of adding it.
    pub fn apart(&mut self, make: impl FnOnce(&mut Gen)) -> String {
        let outer = std::mem::take(&mut self.body);
        make(self);
        std::mem::replace(&mut self.body, outer)
    }

    pub fn any_type(&mut self) -> Int {
        let types = self.types.clone();
        *self.rng.pick(&types)
    }

    /// A type without padding bits, of at most eight bytes.
    pub fn plain_type(&mut self) -> Int {
        let types = int::plain(self.model);
        *self.rng.pick(&types)
    }

    /// The statement that puts a value into the checksum.
    pub fn mixed(&self, text: &str, ty: Int) -> String {
        if ty.is_wide() {
            format!("mix({text}); mix((unsigned __int128)({text}) >> 64);")
        } else {
            format!("mix({text});")
        }
    }

    pub fn mix(&mut self, text: &str, ty: Int) {
        let line = self.mixed(text, ty);
        self.line(line);
    }
}

/// The units to choose from: all, or those that the environment names.
fn choice() -> Vec<usize> {
    let names = std::env::var("TRELLIS_UNITS").ok();
    let chosen = |name: &str| match &names {
        Some(names) => names.split(',').any(|n| n == name),
        None => true,
    };
    let found: Vec<usize> = (0..UNITS.len()).filter(|i| chosen(UNITS[*i].0)).collect();
    assert!(!found.is_empty(), "TRELLIS_UNITS={names:?}: no such unit");
    found
}

/// The units of a seed's program: which, and each one's seed.
fn units(seed: u64) -> Vec<(usize, u64)> {
    let (mut rng, choice) = (Rng::new(seed), choice());
    (0..UNITS_PER_PROGRAM)
        .map(|_| (*rng.pick(&choice), rng.bits()))
        .collect()
}

fn case(seed: u64, units: &[(usize, u64)], model: DataModel) -> Case {
    let mut text = PRELUDE.to_owned();
    if model == DataModel::Ilp32 {
        text = text.replace("typedef unsigned long ", "typedef unsigned ");
        text = text.replace("typedef long ", "typedef int ");
    }
    let mut calls = String::new();
    for (number, (unit, seed)) in units.iter().enumerate() {
        let (name, make) = UNITS[*unit];
        let mut g = Gen::new(*seed, number, model);
        make(&mut g);
        let (decls, body) = (&g.decls, &g.body);
        write!(
            text,
            "/* {name} */\n{decls}static void u{number}(void)\n{{\n{body}}}\n"
        )
        .expect("a string grows");
        writeln!(calls, "  u{number}();").expect("a string grows");
    }
    let main = |end: &str| format!("{text}int main(void)\n{{\n{calls}  {end}\n}}\n");
    Case {
        theirs: main("printf(\"checksum = %X\\n\", checksum); return 0;"),
        ours: main("return (int)checksum;"),
        model,
        // Memory is represented differently where its validity is tracked.
        properties: if (seed / 2).is_multiple_of(2) {
            Properties::REACH
        } else {
            Properties::ALL
        },
    }
}

/// The program of a seed.
pub fn program(seed: u64, model: DataModel) -> Option<Case> {
    Some(case(seed, &units(seed), model))
}

/// The units of a seed's program, each as a program of its own.
pub fn parts(seed: u64, model: DataModel) -> Vec<(String, Case)> {
    let alone = |unit: &(usize, u64)| (UNITS[unit.0].0.to_owned(), case(seed, &[*unit], model));
    units(seed).iter().map(alone).collect()
}
