//! How SV-COMP writes down what is asked: task definitions (`.yml`), property files (`.prp`) and the formulas in them.
//!
//! Open first: [`Definition`], then [`property_of`].
//!
//! Deliberately absent: files (texts come from the caller), sets of tasks and verdicts (`reports/bench`), and what a
//! property means (the C front end).

use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A task definition, version 1.0, 2.0 or 2.1, as far as anybody here asks. Unknown keys are none of our business.
#[derive(Debug, Deserialize)]
pub struct Definition {
    input_files: OneOrMany,
    /// What is asked.
    #[serde(default)]
    pub properties: Vec<Asked>,
    /// About the program.
    #[serde(default)]
    pub options: Options,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// A property of a task.
#[derive(Debug, Deserialize)]
pub struct Asked {
    /// Where it is, from the folder of the definition.
    pub property_file: String,
    /// The known answer.
    pub expected_verdict: Option<bool>,
    /// The part that is violated, where the answer is false and there are several.
    #[serde(default)]
    pub subproperty: String,
}

/// About the program of a task.
#[derive(Debug, Default, Deserialize)]
pub struct Options {
    /// Its language.
    pub language: Option<String>,
    /// `ILP32` or `LP64`, where it is said.
    pub data_model: Option<String>,
}

impl Definition {
    /// Reads the text of a definition.
    pub fn read(text: &str) -> Result<Definition, String> {
        serde_saphyr::from_str(text).map_err(|e| e.to_string())
    }

    /// The program's files, for a definition in this folder.
    pub fn files(&self, folder: &Path) -> Vec<PathBuf> {
        let names = match &self.input_files {
            OneOrMany::One(file) => std::slice::from_ref(file),
            OneOrMany::Many(files) => files,
        };
        names.iter().map(|f| folder.join(f)).collect()
    }
}

/// Properties and their formulas; the first formula of a property is how it is written.
const FORMULAS: [(&str, &str); 8] = [
    ("unreach-call", "G ! call(reach_error())"),
    ("unreach-call", "G ! call(__VERIFIER_error())"),
    ("no-overflow", "G ! overflow"),
    ("valid-deref", "G valid-deref"),
    ("valid-free", "G valid-free"),
    ("valid-memtrack", "G valid-memtrack"),
    ("valid-memcleanup", "G valid-memcleanup"),
    ("termination", "F end"),
];

/// The name of a property by its specification `CHECK( init(main()), LTL(...) )`, spaces aside.
pub fn property_of(specification: &str) -> Option<&'static str> {
    let dense = |text: &str| -> String { text.split_whitespace().collect() };
    let specification = dense(specification);
    let asked = specification.strip_prefix("CHECK(init(main()),LTL(");
    let asked = asked?.strip_suffix("))")?;
    let known = FORMULAS.iter().find(|(_, f)| dense(f) == asked)?;
    Some(known.0)
}

/// The specification of a property. What SV-COMP has no formula for is named.
pub fn specification(property: &str) -> String {
    let known = FORMULAS.iter().find(|(name, _)| *name == property);
    let formula = known.map_or_else(|| format!("G ! {property}"), |(_, f)| f.to_string());
    format!("CHECK( init(main()), LTL({formula}) )")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_are_read_and_written() {
        for (name, formula) in FORMULAS {
            let text = format!("CHECK( init(main()), LTL({formula}) )");
            assert_eq!(property_of(&text), Some(name));
            assert_eq!(property_of(&specification(name)), Some(name));
        }
        assert_eq!(property_of("CHECK( init(main()), LTL(F p) )"), None);
        assert_eq!(
            property_of("COVER( init(main()), FQL(COVER EDGES(x)) )"),
            None
        );
        let named = "CHECK( init(main()), LTL(G ! shift-range) )";
        assert_eq!(specification("shift-range"), named);
    }

    #[test]
    fn definitions_name_files_and_properties() {
        let text = "input_files: ['a.i', 'b.i']\nproperties:\n  - property_file: ../p.prp\n    expected_verdict: false\n\
                    options: {language: C, data_model: LP64}\n";
        let task = Definition::read(text).expect("a definition");
        let files = task.files(Path::new("x"));
        assert_eq!(files, [PathBuf::from("x/a.i"), PathBuf::from("x/b.i")]);
        assert_eq!(task.properties[0].expected_verdict, Some(false));
        assert_eq!(task.options.data_model.as_deref(), Some("LP64"));
        let one = Definition::read("input_files: a.c\n").expect("a definition");
        assert_eq!(one.files(Path::new("")), [PathBuf::from("a.c")]);
        assert!(Definition::read("input_files: [a.c\n").is_err());
    }
}
