//! A task, a verdict, and what a verdict is worth by the rules of SV-COMP.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// One question: does a program have a property?
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Its name in reports: the path as the set has it.
    pub name: String,
    /// The files of the program.
    pub files: Vec<PathBuf>,
    /// The property, such as `unreach-call`; empty where the program says it itself.
    pub property: String,
    /// The property file, where the set names one.
    pub property_file: Option<PathBuf>,
    /// The known answer.
    pub expected: Option<Verdict>,
    /// The data model of C.
    pub model: DataModel,
    /// A part of the set.
    pub category: String,
}

/// Sizes of C's types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DataModel {
    /// 32-bit longs and pointers: what SV-COMP means where it says nothing.
    #[default]
    Ilp32,
    /// 64-bit longs and pointers.
    Lp64,
}

impl DataModel {
    /// Its name in SV-COMP.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }

    /// Bits of a pointer.
    pub fn bits(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

impl FromStr for DataModel {
    type Err = String;

    fn from_str(text: &str) -> Result<DataModel, String> {
        match text {
            "" | "ILP32" => Ok(DataModel::Ilp32),
            "LP64" => Ok(DataModel::Lp64),
            _ => Err(format!("no data model: '{text}' (ILP32 and LP64 are)")),
        }
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Verdict {
    /// The property holds.
    True,
    /// It does not; the part that is violated, empty where nobody says.
    False(String),
    /// No answer.
    Unknown,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Verdict::True => f.write_str("true"),
            Verdict::False(part) if part.is_empty() => f.write_str("false"),
            Verdict::False(part) => write!(f, "false({part})"),
            Verdict::Unknown => f.write_str("unknown"),
        }
    }
}

impl From<Verdict> for String {
    fn from(verdict: Verdict) -> String {
        verdict.to_string()
    }
}

impl TryFrom<String> for Verdict {
    type Error = String;

    fn try_from(text: String) -> Result<Verdict, String> {
        text.parse()
    }
}

impl FromStr for Verdict {
    type Err = String;

    /// Reads `true` and `unknown`, perhaps with a reason behind it, `false`, `false(part)`, and the words that
    /// hardware people use.
    fn from_str(text: &str) -> Result<Verdict, String> {
        let text = text.trim();
        match text {
            "true" | "safe" => return Ok(Verdict::True),
            "false" | "unsafe" => return Ok(Verdict::False(String::new())),
            "unknown" => return Ok(Verdict::Unknown),
            _ => {}
        }
        if let Some(part) = text
            .strip_prefix("false(")
            .and_then(|t| t.strip_suffix(')'))
        {
            return Ok(Verdict::False(part.to_string()));
        }
        // Such as: nothing to check.
        if text.starts_with("true (") {
            return Ok(Verdict::True);
        }
        if text.starts_with("unknown ") || text.starts_with("unknown(") {
            return Ok(Verdict::Unknown);
        }
        Err(format!("no verdict: '{text}'"))
    }
}

impl Verdict {
    /// Whether it decides anything.
    pub fn decides(&self) -> bool {
        *self != Verdict::Unknown
    }

    /// Whether two answers cannot both be right.
    pub fn contradicts(&self, other: &Verdict) -> bool {
        match (self, other) {
            (Verdict::True, Verdict::False(_)) | (Verdict::False(_), Verdict::True) => true,
            (Verdict::False(a), Verdict::False(b)) => !a.is_empty() && !b.is_empty() && a != b,
            _ => false,
        }
    }
}

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Worth {
    /// A right proof.
    RightTrue,
    /// A right alarm.
    RightFalse,
    /// An answer where none is known.
    Unverified,
    /// No answer.
    None,
    /// A wrong alarm.
    WrongFalse,
    /// A wrong proof.
    WrongTrue,
}

impl Worth {
    /// Of an answer, given the known one.
    pub fn of(answer: &Verdict, expected: Option<&Verdict>) -> Worth {
        match (answer, expected) {
            (Verdict::Unknown, _) => Worth::None,
            (_, None | Some(Verdict::Unknown)) => Worth::Unverified,
            (Verdict::True, Some(known)) if answer.contradicts(known) => Worth::WrongTrue,
            (Verdict::False(_), Some(known)) if answer.contradicts(known) => Worth::WrongFalse,
            (Verdict::True, _) => Worth::RightTrue,
            (Verdict::False(_), _) => Worth::RightFalse,
        }
    }

    /// Points in SV-COMP.
    pub fn points(self) -> i64 {
        match self {
            Worth::RightTrue => 2,
            Worth::RightFalse => 1,
            Worth::Unverified | Worth::None => 0,
            Worth::WrongFalse => -16,
            Worth::WrongTrue => -32,
        }
    }

    /// Right, or not known to be wrong.
    pub fn solved(self) -> bool {
        matches!(
            self,
            Worth::RightTrue | Worth::RightFalse | Worth::Unverified
        )
    }

    /// Known to be wrong.
    pub fn wrong(self) -> bool {
        matches!(self, Worth::WrongTrue | Worth::WrongFalse)
    }

    /// A word for it.
    pub fn word(self) -> &'static str {
        match self {
            Worth::RightTrue | Worth::RightFalse => "right",
            Worth::Unverified => "unverified",
            Worth::None => "none",
            Worth::WrongFalse | Worth::WrongTrue => "wrong",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read_and_valued() {
        let points = |answer: &str, expected: &str| {
            let answer: Verdict = answer.parse().expect("a verdict");
            let expected: Verdict = expected.parse().expect("a verdict");
            Worth::of(&answer, Some(&expected)).points()
        };
        assert_eq!(points("true", "true"), 2);
        assert_eq!(points("true (nothing to check: ...)", "true"), 2);
        assert_eq!(points("false(unreach-call)", "false"), 1);
        assert_eq!(points("false(valid-deref)", "false(valid-deref)"), 1);
        assert_eq!(points("false(valid-free)", "false(valid-deref)"), -16);
        assert_eq!(points("false", "true"), -16);
        assert_eq!(points("true", "false(termination)"), -32);
        assert_eq!(points("unknown (gave up)", "true"), 0);
        assert_eq!(points("unsafe", "unknown"), 0);
        for bad in ["truer", "false(", "", "TRUE"] {
            assert!(bad.parse::<Verdict>().is_err(), "{bad}");
        }
        for good in ["true", "false", "false(valid-deref)", "unknown"] {
            assert_eq!(
                good.parse::<Verdict>().expect("a verdict").to_string(),
                good
            );
        }
    }
}
