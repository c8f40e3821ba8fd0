//! One program by the interpreter and by gcc, and the account of many.

use crate::common::interpret;
use crate::native;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::catch_unwind;
use std::path::Path;
use trellis_frontend_c::lower::Properties;
use trellis_frontend_c::program::{Compiled, Error, Options, compile_texts};
use trellis_frontend_c::types::DataModel;

/// Programs that take the interpreter more steps than this are skipped.
pub const STEPS: u64 = 400_000;

/// A program to compare.
pub struct Case {
    /// For gcc, preprocessed; prints `checksum = HEX`.
    pub theirs: String,
    /// For the interpreter, preprocessed; main returns the checksum.
    pub ours: String,
    /// For which data model both are.
    pub model: DataModel,
    /// What is checked meanwhile, and not violated.
    pub properties: Properties,
}

enum Outcome {
    Agree,
    Skip(String),
    Differ(String),
}

/// What the front end makes of a text; an error when it panics.
fn compile(
    text: &str,
    model: DataModel,
    properties: Properties,
) -> Result<Result<Compiled, Error>, Box<dyn std::any::Any + Send>> {
    catch_unwind(|| {
        let mut options = Options {
            model,
            properties,
            ..Options::default()
        };
        options.preprocess.excess_precision = native::excess();
        compile_texts(vec![("ours.i".into(), text.into())], &options)
    })
}

/// What the interpreter says, first, as it is the cheaper one: a program that does not end costs gcc two
/// seconds and us a fraction of one.
fn compare(case: &Case, dir: &Path) -> Outcome {
    let ours = match compile(&case.ours, case.model, case.properties) {
        Err(_) => Err("the front end panics".to_owned()),
        Ok(Err(e)) => Err(format!("the front end refuses it: {e}")),
        Ok(Ok(c)) => interpret(&c.lowered.program, STEPS),
    };
    if ours.as_ref().is_err_and(|why| why == "too many steps") {
        return Outcome::Skip(format!("more than {STEPS} steps"));
    }
    let gcc = |level| native::checksum(dir, &case.theirs, case.model, level);
    let theirs = match gcc("-O0").and_then(|plain| Ok((plain, gcc("-O2")?))) {
        Err(why) => return Outcome::Skip(why),
        Ok((plain, optimised)) if plain != optimised => {
            return Outcome::Skip("gcc -O0 and -O2 disagree".into());
        }
        Ok((plain, _)) => plain,
    };
    match ours {
        Ok(sum) if sum == u64::from(theirs) => Outcome::Agree,
        Ok(sum) => Outcome::Differ(format!("{sum:X} instead of {theirs:X}")),
        Err(why) => Outcome::Differ(why),
    }
}

/// How often what happened, by data model.
#[derive(Default)]
pub struct Tally {
    agree: [u64; 2],
    differ: Vec<String>,
    skips: BTreeMap<String, [u64; 2]>,
}

fn column(model: DataModel) -> usize {
    usize::from(model == DataModel::Lp64)
}

impl Tally {
    /// A program that was not compared.
    pub fn skip(&mut self, model: DataModel, why: &str) {
        self.skips.entry(why.into()).or_default()[column(model)] += 1;
    }

    /// Compares a program; where it differs, `parts` are tried for the part to blame.
    pub fn take(
        &mut self,
        seed: u64,
        case: &Case,
        dir: &Path,
        parts: impl FnOnce() -> Vec<(String, Case)>,
    ) {
        match compare(case, dir) {
            Outcome::Agree => self.agree[column(case.model)] += 1,
            Outcome::Skip(why) => {
                // A generator is to blame for what gcc refuses or disagrees on: it is named.
                if !why.contains("steps") && !why.contains("does not end") {
                    eprintln!("skipped: seed {seed}: {why}");
                }
                let kind = why.lines().next().unwrap_or_default();
                self.skip(case.model, kind);
            }
            Outcome::Differ(how) => {
                let mut note = format!("seed {seed} {}: {how}", native::flag(case.model));
                keep(&seed.to_string(), case);
                for (name, part) in parts() {
                    if let Outcome::Differ(how) = compare(&part, dir) {
                        note += &format!("\n    {name} alone: {how}");
                        keep(&format!("{seed}-{name}"), &part);
                    }
                }
                eprintln!("DIFFERS: {note}");
                self.differ.push(note);
            }
        }
    }

    /// Fails when a program differs, or when there was nothing to compare.
    pub fn finish(self) {
        assert!(self.differ.is_empty(), "{}", self.differ.join("\n"));
        assert!(self.agree != [0, 0], "nothing was compared");
    }
}

/// Keeps a program that differs where the environment asks for it.
fn keep(name: &str, case: &Case) {
    let Some(dir) = std::env::var_os("TRELLIS_KEEP") else {
        return;
    };
    let flag = native::flag(case.model);
    for (side, text) in [("ours", &case.ours), ("theirs", &case.theirs)] {
        let path = Path::new(&dir).join(format!("{name}{flag}-{side}.i"));
        std::fs::write(path, text).expect("the folder of TRELLIS_KEEP is writable");
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [ilp32, lp64] = self.agree;
        write!(f, "agree {ilp32} ILP32, {lp64} LP64")?;
        write!(f, "; differ {}", self.differ.len())?;
        for (why, [ilp32, lp64]) in &self.skips {
            write!(f, "; skipped {ilp32} ILP32, {lp64} LP64: {why}")?;
        }
        Ok(())
    }
}
