//! The C that checks functions one by one, and that stands for them where they are called.

use super::render::{OLD, RESULT, Rendered, Scope, Sort, bounds};
use super::syntax::{Clause, Contract, Kind, Wrong};
use super::{Annotation, Definition, Found, Modular, Placed, Unit, error};
use crate::ast::Quals;
use crate::hir::{FuncData, Storage, VarData};
use crate::library::INCOMPLETE;
use crate::program::Checked;
use crate::types::{Length, QualTy, TyKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

/// A function that can be checked on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where its check begins.
    pub entry: String,
    /// Its contract, if it has one.
    pub contract: Option<Written>,
}

/// A contract in the words of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// What callers have to establish.
    pub requires: Vec<String>,
    /// What it may change; none where no clause says so.
    pub assigns: Option<Vec<String>>,
    /// What holds when the function returns.
    pub ensures: Vec<String>,
}

impl Written {
    fn new(contract: &Contract, text: &dyn Placed) -> Written {
        let words = |clauses: &[Clause]| -> Vec<String> {
            let slices = clauses.iter().map(|c| text.bytes().get(c.at.clone()));
            let texts = slices.map(|s| String::from_utf8_lossy(s.unwrap_or_default()).into_owned());
            texts
                .map(|t| t.split_whitespace().collect::<Vec<_>>().join(" "))
                .collect()
        };
        Written {
            requires: words(&contract.requires),
            assigns: contract.assigns.as_deref().map(words),
            ensures: words(&contract.ensures),
        }
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut clauses: Vec<String> = Vec::new();
        clauses.extend(self.requires.iter().map(|c| format!("requires {c};")));
        clauses.extend(self.assigns.as_ref().map(|places| match places.is_empty() {
            true => "assigns \\nothing;".into(),
            false => format!("assigns {};", places.join(", ")),
        }));
        clauses.extend(self.ensures.iter().map(|c| format!("ensures {c};")));
        f.write_str(&clauses.join(" "))
    }
}

/// What the names of functions begin with that check others.
pub const ENTRY: &str = "trellis_check_";

/// What the name of a function that has a contract ends with, where it is itself and not what the contract says.
pub const BODY: &str = "__body";

/// The file that what is made here is said to be of.
pub const FILE: &str = "<contracts>";

/// What follows is of no file of the user's.
const MADE: &str = "\n# 1 \"<contracts>\"\n";

/// Places that one pointer may lead to, at most.
const MOST_PLACES: usize = 60;

/// What every check needs.
const PROLOGUE: &str = "extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __library_incomplete(const char *);
static unsigned long trellis_below(unsigned long n) { unsigned long k = __VERIFIER_nondet_ulong(); __CPROVER_assume(k < n); return k; }
";

pub(super) struct Maker<'a> {
    pub units: &'a [Unit<'a>],
    pub contracts: &'a BTreeMap<String, Found<'a>>,
    pub checked: &'a Checked,
}

/// An object that a check has to tell from what it was.
struct Object {
    text: String,
    ty: QualTy,
}

impl Maker<'_> {
    pub(super) fn make(&self) -> Result<Modular, String> {
        let mut modular = Modular {
            texts: Vec::new(),
            functions: Vec::new(),
        };
        let defined = |name: &str| self.units.iter().any(|(_, d)| d.contains_key(name));
        for (name, (annotation, text, _)) in self.contracts {
            if self.function(name).is_none() {
                let why = format!("the program has no function '{name}'");
                return Err(error(*text, (annotation.name.start, why)));
            }
        }
        let mut seen = BTreeSet::new();
        for (text, definitions) in self.units {
            // Contracts and checks go by names.
            if let Some((name, d)) = definitions.iter().find(|(name, _)| !seen.insert(*name)) {
                let why = format!("'{name}' is defined in several files");
                return Err(error(*text, (d.name.start, why)));
            }
        }
        for (i, (text, definitions)) in self.units.iter().enumerate() {
            let mut made = self.renamed(*text, definitions);
            let mut behind = String::from("\n# 1 \"<contracts>\"\n");
            behind.push_str(PROLOGUE);
            for (name, definition) in definitions {
                if definition.old_style {
                    continue;
                }
                let header =
                    |new: &str| header(text.bytes(), &definition.header, &definition.name, new);
                let contract = self.contracts.get(name);
                if let Some((annotation, at, _)) = contract {
                    let data = self.function(name).ok_or("a function is lost")?;
                    let stub = self.stub(name, data, &annotation.contract, *at);
                    let stub = stub.map_err(|e| error(*at, e))?;
                    let _ = write!(behind, "{} {stub}", header(name));
                }
            }
            // Functions that are only declared are what their contracts say as well.
            for (name, (annotation, at, unit)) in self.contracts {
                if *unit == i && !defined(name) {
                    let data = self.function(name).ok_or("a function is lost")?;
                    let stub = self.stub(name, data, &annotation.contract, *at);
                    let stub = stub.map_err(|e| error(*at, e))?;
                    let head = declared(at.bytes(), annotation, name);
                    let _ = write!(behind, "{head} {stub}");
                }
            }
            for (name, definition) in definitions {
                let contract = self.contracts.get(name);
                if name == "main" && contract.is_none() {
                    modular.functions.push(Function {
                        name: name.clone(),
                        entry: name.clone(),
                        contract: None,
                    });
                    continue;
                }
                if definition.old_style {
                    continue;
                }
                let entry = format!("{ENTRY}{name}");
                let data = self.function(name).ok_or("a function is lost")?;
                let empty = Contract {
                    requires: Vec::new(),
                    ensures: Vec::new(),
                    assigns: None,
                };
                let (says, at) = match contract {
                    Some((annotation, at, _)) => (&annotation.contract, *at),
                    None => (&empty, *text),
                };
                let called = match contract {
                    Some(_) => body_name(name),
                    None => name.clone(),
                };
                let check = self.check(name, &called, data, says, at);
                let check = check.map_err(|e| error(at, e))?;
                let head = header(text.bytes(), &definition.header, &definition.name, &entry);
                let _ = write!(behind, "{head} {check}");
                modular.functions.push(Function {
                    name: name.clone(),
                    entry,
                    contract: contract.map(|_| Written::new(says, at)),
                });
            }
            made.extend_from_slice(behind.as_bytes());
            modular.texts.push(made);
        }
        Ok(modular)
    }

    fn function(&self, name: &str) -> Option<&FuncData> {
        let funcs = self.checked.hir.funcs.values();
        let own = funcs.filter(|f| f.name == name);
        own.max_by_key(|f| f.body.is_some())
    }

    /// The text in which functions with contracts have another name, and are declared by their own before.
    fn renamed(&self, text: &dyn Placed, definitions: &BTreeMap<String, Definition>) -> Vec<u8> {
        let mut with: Vec<(&String, &Definition)> = definitions.iter().collect();
        with.retain(|(name, d)| self.contracts.contains_key(*name) && !d.old_style);
        with.sort_by_key(|(_, d)| d.header.start);
        let bytes = text.bytes();
        let (mut made, mut done) = (Vec::with_capacity(bytes.len()), 0);
        for (name, d) in with {
            made.extend_from_slice(&bytes[done..d.header.start]);
            let declared = header(bytes, &d.header, &d.name, name);
            let place = text.place(d.header.start);
            let back = format!("\n# {} {:?}\n", place.line, place.file);
            made.extend_from_slice(format!("\n# 1 \"<contracts>\"\n{declared};{back}").as_bytes());
            // Columns stay what they were.
            made.extend(std::iter::repeat_n(
                b' ',
                place.column.saturating_sub(1) as usize,
            ));
            made.extend_from_slice(&bytes[d.header.start..d.name.start]);
            made.extend_from_slice(body_name(name).as_bytes());
            done = d.name.end;
        }
        made.extend_from_slice(&bytes[done..]);
        made
    }

    fn scope(&self, data: &FuncData, result: bool) -> Scope<'_> {
        let hir = &self.checked.hir;
        let mut vars = BTreeMap::new();
        for var in hir.vars.values() {
            if var.storage == Storage::Global && self.is_own(var) {
                vars.insert(var.name.clone(), var.ty);
            }
        }
        for &p in &data.params {
            vars.insert(hir.vars[p].name.clone(), hir.vars[p].ty);
        }
        let ret = self.returned(data);
        Scope {
            hir,
            interner: &self.checked.interner,
            vars,
            result: ret.filter(|_| result),
            valid: !result,
            old: result.then(Vec::new),
        }
    }

    fn returned(&self, data: &FuncData) -> Option<QualTy> {
        let types = &self.checked.hir.types;
        match types.kind(data.ty) {
            TyKind::Function(f) if !matches!(types.kind(f.ret.ty), TyKind::Void) => Some(f.ret),
            _ => None,
        }
    }

    /// Whether a variable is of the user's files.
    fn is_own(&self, var: &VarData) -> bool {
        let file = self.checked.sources.file(var.span.lo);
        !self.checked.sources.in_system_header(var.span.lo)
            && !file.starts_with('<')
            && self.units.iter().any(|(text, _)| {
                file == text.place(0).file || self.checked.lines.contains_key(file)
            })
    }

    fn kind(&self, ty: QualTy) -> &TyKind {
        self.checked.hir.types.kind(ty.ty)
    }

    fn is_pointer(&self, ty: QualTy) -> bool {
        matches!(self.kind(ty), TyKind::Pointer(_))
    }

    /// Whether an object of the type holds a pointer somewhere, or nobody knows.
    fn holds_pointers(&self, ty: QualTy) -> bool {
        match self.kind(ty) {
            TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_) => false,
            TyKind::Array(elem, Length::Known(_)) => self.holds_pointers(*elem),
            TyKind::Record(r) => {
                let record = &self.checked.hir.types.records[*r];
                !record.complete || record.fields.iter().any(|f| self.holds_pointers(f.ty))
            }
            _ => true,
        }
    }

    /// The objects of the user's files that may change.
    fn globals(&self) -> Vec<&VarData> {
        let vars = self.checked.hir.vars.values();
        let own = vars.filter(|v| v.storage == Storage::Global && self.is_own(v));
        own.filter(|v| !v.ty.quals.has(Quals::CONST)).collect()
    }

    /// Why the check of a function cannot be said in C, if so.
    fn refusal(&self, name: &str, data: &FuncData) -> Option<String> {
        let hir = &self.checked.hir;
        for var in hir.vars.values().filter(|v| v.storage == Storage::Static) {
            let owner = var.owner.map(|f| &hir.funcs[f]);
            let Some(owner) = owner.filter(|_| self.is_own(var)) else {
                continue;
            };
            let used = owner.name == name || !self.contracts.contains_key(&owner.name);
            if used && !var.ty.quals.has(Quals::CONST) {
                let (var, owner) = (&var.name, &owner.name);
                return Some(format!(
                    "'{owner}' keeps state in the static variable '{var}', which no contract can name"
                ));
            }
        }
        for var in self.globals() {
            let is_plain = match self.kind(var.ty) {
                TyKind::Pointer(to) => !self.holds_pointers(*to),
                _ => !self.holds_pointers(var.ty),
            };
            if !is_plain {
                let var = &var.name;
                return Some(format!(
                    "the object '{var}' holds pointers of which nothing is known"
                ));
            }
        }
        if let TyKind::Function(f) = hir.types.kind(data.ty)
            && f.variadic
        {
            return Some("it has arguments without parameters".into());
        }
        for &p in &data.params {
            let var = &hir.vars[p];
            if self.globals().iter().any(|g| g.name == var.name) {
                let var = &var.name;
                return Some(format!(
                    "the parameter '{var}' hides an object of the same name"
                ));
            }
            if let TyKind::Pointer(to) = self.kind(var.ty)
                && self.holds_pointers(*to)
            {
                let (var, ty) = (&var.name, hir.types.name(*to, &self.checked.interner));
                return Some(format!(
                    "nothing is known of what the parameter '{var}' leads to, of type '{ty}'"
                ));
            }
            if matches!(self.kind(var.ty), TyKind::Record(_)) && self.holds_pointers(var.ty) {
                let var = &var.name;
                return Some(format!(
                    "the parameter '{var}' holds pointers of which nothing is known"
                ));
            }
        }
        None
    }

    /// The places of a type within an object.
    fn places(&self, text: &str, ty: QualTy, wanted: QualTy, found: &mut Vec<String>) {
        if found.len() > MOST_PLACES {
            return;
        }
        let same = ty.ty == wanted.ty
            || match (
                bounds(&self.checked.hir, ty),
                bounds(&self.checked.hir, wanted),
            ) {
                // Signed and unsigned integers of a size may be read as each other.
                (Some((a, b)), Some((c, d))) => b - a == d - c,
                _ => false,
            };
        if same {
            found.push(format!("&{text}"));
        }
        match self.kind(ty) {
            TyKind::Array(elem, Length::Known(n)) if *n > 0 => {
                self.places(&format!("{text}[trellis_below({n})]"), *elem, wanted, found);
            }
            TyKind::Record(r) => {
                for field in &self.checked.hir.types.records[*r].fields {
                    if let (Some(name), None) = (field.name, field.width) {
                        let name = self.checked.interner.text(name);
                        self.places(&format!("{text}.{name}"), field.ty, wanted, found);
                    }
                }
            }
            _ => {}
        }
        let is_byte = bounds(&self.checked.hir, wanted).is_some_and(|(a, b)| b - a == 255);
        let inner = matches!(self.kind(ty), TyKind::Array(..) | TyKind::Record(_));
        // Bytes are read of any object; those of its parts are its own.
        if is_byte && !same && !inner {
            found.push(format!("((char *)&{text} + trellis_below(sizeof({text})))"));
        }
    }

    /// A pointer to nothing, to an object of its own, to any object that it may lead to, or to what is invalid.
    fn choose(
        &self,
        text: &str,
        own: &str,
        to: QualTy,
        objects: &[Object],
    ) -> Result<String, String> {
        let mut places = vec!["0".to_string(), format!("&{own}")];
        for object in objects.iter().filter(|o| o.text != own) {
            self.places(&object.text, object.ty, to, &mut places);
        }
        if places.len() > MOST_PLACES {
            return Err(format!(
                "'{text}' may lead to more than {MOST_PLACES} places"
            ));
        }
        let mut code = String::from("  switch (__VERIFIER_nondet_int()) {\n");
        for (i, place) in places.iter().enumerate() {
            let _ = writeln!(code, "    case {i}: {text} = (void *)({place}); break;");
        }
        // All that is valid is among those: no object of C lies across two others.
        let _ = writeln!(
            code,
            "    default: __CPROVER_assume(!__CPROVER_r_ok({text}, 1));"
        );
        code.push_str("  }\n");
        Ok(code)
    }

    fn unqualified(&self, ty: QualTy) -> Result<String, String> {
        let plain = QualTy::from(ty.ty);
        let name = self.checked.hir.types.name(plain, &self.checked.interner);
        match name.contains("<anonymous>") || matches!(self.kind(ty), TyKind::Array(..)) {
            true => Err("a pointer leads to an object whose type has no name".into()),
            false => Ok(name),
        }
    }

    /// Statements after which the objects of the files hold anything, and pointers lead anywhere; with the objects that there are then.
    fn anything(&self, data: &FuncData) -> Result<(String, Vec<Object>), String> {
        let hir = &self.checked.hir;
        let mut objects = Vec::new();
        let mut code = String::new();
        let mut pointers = Vec::new();
        for var in self.globals() {
            let _ = writeln!(code, "  __CPROVER_havoc_object(&{});", var.name);
            objects.push(Object {
                text: var.name.clone(),
                ty: var.ty,
            });
            if let TyKind::Pointer(to) = self.kind(var.ty) {
                pointers.push((var.name.clone(), *to));
            }
        }
        for &p in &data.params {
            let var = &hir.vars[p];
            if let TyKind::Pointer(to) = self.kind(var.ty) {
                pointers.push((var.name.clone(), *to));
            }
        }
        for (name, to) in &pointers {
            let (own, ty) = (format!("trellis_of_{name}"), self.unqualified(*to)?);
            let _ = writeln!(code, "  {ty} {own}; __CPROVER_havoc_object(&{own});");
            objects.push(Object { text: own, ty: *to });
        }
        for (name, to) in &pointers {
            code.push_str(&self.choose(name, &format!("trellis_of_{name}"), *to, &objects)?);
        }
        Ok((code, objects))
    }

    /// The function whose check this is.
    fn check(
        &self,
        name: &str,
        called: &str,
        data: &FuncData,
        contract: &Contract,
        at: &dyn Placed,
    ) -> Result<String, Wrong> {
        let (ensures, olds) = self.conditions(data, &contract.ensures, true)?;
        let (requires, _) = self.conditions(data, &contract.requires, false)?;
        let places = self.assigned(data, contract)?;
        let prepared = match self.refusal(name, data) {
            Some(why) => Err(why),
            None => self.anything(data),
        };
        let (begin, objects) = match prepared {
            Ok(prepared) => prepared,
            Err(why) => {
                return Ok(incomplete(&format!(
                    "the check of '{name}' on its own: {why}"
                )));
            }
        };
        let mut code = format!("{{{MADE}{begin}");
        code.push_str(&assumed(&requires, &contract.requires, at));
        code.push_str(&kept(&olds));
        if contract.assigns.is_some() {
            code.push_str(&remember(&places));
            for (i, object) in objects.iter().enumerate() {
                let text = &object.text;
                let _ = writeln!(
                    code,
                    "  __typeof__({text}) trellis_was_{i}; __builtin_memcpy(&trellis_was_{i}, &{text}, sizeof({text}));"
                );
            }
        }
        let hir = &self.checked.hir;
        let call = self.call(called, data);
        let ret = self.returned(data);
        let _ = match ret {
            Some(_) => writeln!(code, "  __typeof__({call}) {RESULT} = {call};"),
            None => writeln!(code, "  {call};"),
        };
        code.push_str(&asserted("ensures", &ensures, &contract.ensures, at));
        if let Some(assigns) = &contract.assigns {
            code.push_str(&restore(&places));
            let begin = assigns
                .first()
                .map_or(String::new(), |clause| marker(at, clause));
            for (i, object) in objects.iter().enumerate() {
                let text = &object.text;
                let same = match self.is_pointer(object.ty) || bounds(hir, object.ty).is_some() {
                    true => format!("{text} == trellis_was_{i}"),
                    false => {
                        format!("__builtin_memcmp(&{text}, &trellis_was_{i}, sizeof({text})) == 0")
                    }
                };
                let shown = text
                    .strip_prefix("trellis_of_")
                    .map_or(text.clone(), |p| format!("*{p}"));
                let _ = writeln!(
                    code,
                    "{begin}  __CPROVER_assert({same}, \"assigns: {shown} has changed\");"
                );
            }
        }
        if ret.is_some() {
            let _ = writeln!(code, "  return {RESULT};");
        }
        code.push_str("}\n");
        Ok(code)
    }

    /// A call of `name` with the parameters of `data`.
    fn call(&self, name: &str, data: &FuncData) -> String {
        let vars = &self.checked.hir.vars;
        let args: Vec<&str> = data.params.iter().map(|&p| vars[p].name.as_str()).collect();
        format!("{name}({})", args.join(", "))
    }

    /// The function where it is called.
    fn stub(
        &self,
        name: &str,
        data: &FuncData,
        contract: &Contract,
        at: &dyn Placed,
    ) -> Result<String, Wrong> {
        let (ensures, olds) = self.conditions(data, &contract.ensures, true)?;
        let (requires, _) = self.conditions(data, &contract.requires, false)?;
        let places = self.assigned(data, contract)?;
        let mut code = String::from("{\n");
        code.push_str(&asserted("requires", &requires, &contract.requires, at));
        let refusal = self.unsaid(data, contract, &places);
        if let Some(why) = refusal {
            let why = incomplete(&format!("a call of '{name}': {why}"));
            let _ = writeln!(code, "{why}\n}}");
            return Ok(code);
        }
        code.push_str(&kept(&olds));
        for (i, (place, _)) in places.iter().enumerate() {
            let _ = writeln!(code, "  __typeof__({place}) *trellis_at_{i} = &{place};");
        }
        for i in 0..places.len() {
            let at = format!("trellis_at_{i}");
            let _ = writeln!(
                code,
                "  if (__CPROVER_rw_ok({at}, sizeof(*{at}))) __CPROVER_havoc_slice({at}, sizeof(*{at}));"
            );
        }
        let ret = self.returned(data);
        if ret.is_some() {
            let call = self.call(name, data);
            let _ = writeln!(
                code,
                "  __typeof__({call}) {RESULT}; __CPROVER_havoc_object(&{RESULT});"
            );
        }
        code.push_str(&assumed(&ensures, &contract.ensures, at));
        if ret.is_some() {
            let _ = writeln!(code, "  return {RESULT};");
        }
        code.push_str("}\n");
        Ok(code)
    }

    /// Why a call cannot be what the contract says of it, if so.
    fn unsaid(
        &self,
        data: &FuncData,
        contract: &Contract,
        places: &[(String, QualTy)],
    ) -> Option<String> {
        if contract.assigns.is_none() {
            return Some("its contract has no `assigns`, so it may change anything".into());
        }
        if self
            .returned(data)
            .is_some_and(|ty| self.is_pointer(ty) || self.holds_pointers(ty))
        {
            return Some(
                "it returns a pointer, of which its contract cannot say where it leads".into(),
            );
        }
        if let TyKind::Function(f) = self.checked.hir.types.kind(data.ty)
            && f.variadic
        {
            return Some("it has arguments without parameters".into());
        }
        let pointer = places.iter().find(|(_, ty)| self.holds_pointers(*ty));
        pointer.map(|(place, _)| {
            format!(
                "it assigns the pointer '{place}', of which its contract cannot say where it leads"
            )
        })
    }

    /// Clauses as C, and what has to be known from before the call.
    fn conditions(
        &self,
        data: &FuncData,
        clauses: &[Clause],
        result: bool,
    ) -> Result<(Vec<String>, Vec<Rendered>), Wrong> {
        let mut scope = self.scope(data, result);
        let mut conditions = Vec::new();
        for clause in clauses {
            conditions.push(scope.truth(&clause.says)?);
        }
        Ok((conditions, scope.old.unwrap_or_default()))
    }

    fn assigned(
        &self,
        data: &FuncData,
        contract: &Contract,
    ) -> Result<Vec<(String, QualTy)>, Wrong> {
        let mut scope = self.scope(data, false);
        let mut places = Vec::new();
        for clause in contract.assigns.iter().flatten() {
            let hir = &self.checked.hir;
            if let Kind::Name(name) = &clause.says.kind
                && data.params.iter().any(|&p| hir.vars[p].name == *name)
            {
                return Err((
                    clause.at.start,
                    format!("'{name}' is a parameter: callers do not see what becomes of it"),
                ));
            }
            let (text, ty) = scope.typed(&clause.says)?;
            if ty.quals.has(Quals::CONST) {
                return Err((clause.at.start, "this is constant".into()));
            }
            places.push((text, ty));
        }
        Ok(places)
    }
}

fn body_name(name: &str) -> String {
    format!("{name}{BODY}")
}

/// The declaration with another name, on one line.
fn header(
    bytes: &[u8],
    header: &std::ops::Range<usize>,
    name: &std::ops::Range<usize>,
    new: &str,
) -> String {
    let before = String::from_utf8_lossy(&bytes[header.start..name.start]);
    let after = String::from_utf8_lossy(&bytes[name.end..header.end]);
    one_line(&format!("{before}{new}{after}"))
}

/// What is declared only, as the beginning of a definition.
pub(super) fn declared(bytes: &[u8], annotation: &Annotation, name: &str) -> String {
    let head = header(bytes, &annotation.header, &annotation.name, name);
    head.replace("extern ", "")
}

/// Without comments, markers and ends of lines.
fn one_line(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut made, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let begins = made.last().is_none_or(|&b| b == b'\n');
        if let Some(end) = super::comment_end(bytes, at) {
            made.push(b' ');
            at = end;
        } else if bytes[at] == b'#' && begins {
            let end = bytes[at..].iter().position(|&b| b == b'\n');
            at += end.unwrap_or(bytes.len() - at);
        } else {
            made.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&made).replace(['\n', '\r'], " ")
}

/// Makes what follows stand where the clause does.
fn marker(at: &dyn Placed, clause: &Clause) -> String {
    let place = at.place(clause.at.start);
    format!(
        "# {} {:?}\n{}",
        place.line,
        place.file,
        " ".repeat(place.column.saturating_sub(1) as usize)
    )
}

/// Statements that assume what the clauses say.
fn assumed(conditions: &[String], clauses: &[Clause], at: &dyn Placed) -> String {
    let statement = |(condition, clause): (&String, &Clause)| {
        format!("{}__CPROVER_assume({condition});{MADE}", marker(at, clause))
    };
    conditions.iter().zip(clauses).map(statement).collect()
}

/// Statements that check what the clauses say.
fn asserted(kind: &str, conditions: &[String], clauses: &[Clause], at: &dyn Placed) -> String {
    let statement = |(condition, clause): (&String, &Clause)| {
        format!(
            "{}__CPROVER_assert({condition}, \"{kind} {}\");{MADE}",
            marker(at, clause),
            said(at, clause)
        )
    };
    conditions.iter().zip(clauses).map(statement).collect()
}

/// The clause as a string of C.
fn said(at: &dyn Placed, clause: &Clause) -> String {
    let text = String::from_utf8_lossy(&at.bytes()[clause.at.clone()]);
    let text: Vec<&str> = text.split_whitespace().filter(|w| *w != "@").collect();
    text.join(" ").replace('\\', "\\\\").replace('"', "\\\"")
}

fn incomplete(why: &str) -> String {
    let why = why.replace('\\', "\\\\").replace('"', "\\\"");
    format!("{{ {INCOMPLETE}(\"{why}\"); }}\n")
}

/// Variables for what was before the call.
fn kept(olds: &[Rendered]) -> String {
    let mut code = String::new();
    for (i, old) in olds.iter().enumerate() {
        let text = &old.text;
        let _ = match old.sort {
            Sort::Typed(_) => writeln!(code, "  __typeof__({text}) {OLD}{i} = {text};"),
            Sort::Null => writeln!(code, "  void *{OLD}{i} = {text};"),
            Sort::Truth => writeln!(code, "  int {OLD}{i} = {text};"),
            Sort::Number(low, high) => {
                let narrow = low >= i128::from(i64::MIN) && high <= i128::from(i64::MAX);
                let ty = if narrow { "long long" } else { "__int128" };
                writeln!(code, "  {ty} {OLD}{i} = {text};")
            }
        };
    }
    code
}

/// Keeps what assigned places hold, where they are places.
fn remember(places: &[(String, QualTy)]) -> String {
    let mut code = String::new();
    for (i, (place, _)) in places.iter().enumerate() {
        let _ = writeln!(
            code,
            "  __typeof__({place}) *trellis_at_{i} = &{place}; __typeof__({place}) trellis_held_{i};"
        );
        let _ = writeln!(
            code,
            "  int trellis_there_{i} = __CPROVER_rw_ok(trellis_at_{i}, sizeof(*trellis_at_{i}));"
        );
        let _ = writeln!(
            code,
            "  if (trellis_there_{i}) __builtin_memcpy(&trellis_held_{i}, trellis_at_{i}, sizeof(*trellis_at_{i}));"
        );
    }
    code
}

/// Gives assigned places what they held: then nothing has changed if nothing else has.
fn restore(places: &[(String, QualTy)]) -> String {
    let mut code = String::new();
    for i in 0..places.len() {
        let _ = writeln!(
            code,
            "  if (trellis_there_{i}) __builtin_memcpy(trellis_at_{i}, &trellis_held_{i}, sizeof(*trellis_at_{i}));"
        );
    }
    code
}
