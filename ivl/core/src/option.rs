//! What an option of a pass, an engine or a solver is: one schema, so that all of them are described, listed and
//! checked in one way.
//!
//! A table of [`OptionSpec`]s is constant data. [`OptionSpec::check`] says what is wrong with a value; who reads
//! options afterwards relies on it and on the text of [`OptionSpec::default`].

use crate::nearest::nearest;
use std::borrow::Cow;

/// A text of a table, or of a schema that was read.
pub type Text = Cow<'static, str>;

/// The word for the absence of a value.
pub const NONE: &str = "none";

/// One option.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionSpec {
    /// Its name.
    pub name: Text,
    /// What values it has.
    pub kind: OptionKind,
    /// Whether `none` is a value as well, such as for a limit that there need not be.
    pub optional: bool,
    /// Its default, as one would write it.
    pub default: Text,
    /// What it does.
    pub doc: Text,
}

/// The values of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionKind {
    /// `true` or `false`.
    Boolean,
    /// Whole numbers within these bounds, both included.
    Integer {
        /// The least.
        min: i128,
        /// The greatest.
        max: i128,
    },
    /// Numbers.
    Number,
    /// Any text.
    Text,
    /// One of these words.
    Choice(Cow<'static, [Text]>),
    /// Some of these words, as a list or separated by commas.
    List(Cow<'static, [Text]>),
    /// A type that this version does not know; whoever has the option checks it.
    Other(Text),
}

/// A value as somebody wrote it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Given<'a> {
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number.
    Integer(i128),
    /// Another number.
    Number(f64),
    /// A text, which may be a word.
    Text(&'a str),
    /// Several texts.
    List(&'a [&'a str]),
    /// Something that no option can be, by what it is.
    Other(&'static str),
}

impl OptionSpec {
    /// An option that is on or off.
    pub const fn flag(name: &'static str, default: &'static str, doc: &'static str) -> OptionSpec {
        OptionSpec::new(name, OptionKind::Boolean, default, doc)
    }

    /// An option that is a number from `min` to `max`.
    pub const fn integer(
        name: &'static str,
        default: &'static str,
        min: i64,
        max: i64,
        doc: &'static str,
    ) -> OptionSpec {
        let (min, max) = (min as i128, max as i128);
        OptionSpec::new(name, OptionKind::Integer { min, max }, default, doc)
    }

    /// An option that is one of `words`.
    pub const fn choice(
        name: &'static str,
        default: &'static str,
        words: &'static [Text],
        doc: &'static str,
    ) -> OptionSpec {
        OptionSpec::new(name, OptionKind::Choice(Cow::Borrowed(words)), default, doc)
    }

    /// An option of any kind.
    pub const fn new(
        name: &'static str,
        kind: OptionKind,
        default: &'static str,
        doc: &'static str,
    ) -> OptionSpec {
        OptionSpec {
            name: Cow::Borrowed(name),
            kind,
            optional: false,
            default: Cow::Borrowed(default),
            doc: Cow::Borrowed(doc),
        }
    }

    /// The same, with `none` as a value.
    #[must_use]
    pub const fn or_none(mut self) -> OptionSpec {
        self.optional = true;
        self
    }

    /// What its values are, in words.
    pub fn values(&self) -> String {
        let words = |all: &[Text]| all.join(", ");
        let mut values = match &self.kind {
            OptionKind::Boolean => "true or false".to_string(),
            OptionKind::Integer { min, max } if *max >= i128::from(u32::MAX) => match min {
                0 => "a whole number from 0 on".to_string(),
                i128::MIN..0 => "a whole number".to_string(),
                min => format!("a whole number from {min} on"),
            },
            OptionKind::Integer { min, max } => format!("a whole number from {min} to {max}"),
            OptionKind::Number => "a number".to_string(),
            OptionKind::Text => "a text".to_string(),
            OptionKind::Choice(all) => match &all[..] {
                [a, b] => format!("{a} or {b}"),
                all => format!("one of {}", words(all)),
            },
            OptionKind::List(all) => format!("some of {}", words(all)),
            OptionKind::Other(ty) => ty.to_string(),
        };
        if self.optional {
            values += ", or none";
        }
        values
    }

    /// Checks a value.
    ///
    /// # Errors
    /// What the value must be instead, for people.
    pub fn check(&self, given: Given<'_>) -> Result<(), String> {
        if self.optional && given == Given::Text(NONE) {
            return Ok(());
        }
        let must = || format!("must be {}", self.values());
        let wrong = |word: &str, all: &[Text]| match nearest(word, all.iter().map(|w| &**w)) {
            Some(hint) => format!("is `{word}`, did you mean `{hint}`? It {}", must()),
            None => must(),
        };
        let is = |word: &str, all: &[Text]| all.iter().any(|w| w == word);
        match (&self.kind, given) {
            (OptionKind::Other(_), _)
            | (OptionKind::Boolean, Given::Boolean(_))
            | (OptionKind::Number, Given::Integer(_) | Given::Number(_))
            | (OptionKind::Text, Given::Text(_)) => Ok(()),
            (OptionKind::Integer { min, max }, Given::Integer(n)) if (min..=max).contains(&&n) => {
                Ok(())
            }
            (OptionKind::Choice(all), Given::Text(word)) if is(word, all) => Ok(()),
            (OptionKind::Choice(all), Given::Text(word)) => Err(wrong(word, all)),
            (OptionKind::List(all), Given::Text(text)) => {
                match list(text).find(|word| !is(word, all)) {
                    Some(word) => Err(wrong(word, all)),
                    None => Ok(()),
                }
            }
            (OptionKind::List(all), Given::List(words)) => {
                match words.iter().find(|word| !is(word, all)) {
                    Some(word) => Err(wrong(word, all)),
                    None => Ok(()),
                }
            }
            _ => Err(must()),
        }
    }

    /// What a text without quotes or types means as a value of this option, as on a command line or in a list of
    /// passes.
    pub fn given<'a>(&self, text: &'a str) -> Given<'a> {
        if self.optional && text == NONE {
            return Given::Text(text);
        }
        match &self.kind {
            OptionKind::Boolean => match text {
                "true" | "1" => Given::Boolean(true),
                "false" | "0" => Given::Boolean(false),
                _ => Given::Text(text),
            },
            OptionKind::Integer { .. } => text.parse().map_or(Given::Text(text), Given::Integer),
            OptionKind::Number => text.parse().map_or(Given::Text(text), Given::Number),
            _ => Given::Text(text),
        }
    }
}

/// The words of a list that is one text.
pub fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty())
}

/// The option of that name, or the nearest name there is.
///
/// # Errors
/// The nearest name, where one is near.
pub fn find<'s>(specs: &'s [OptionSpec], name: &str) -> Result<&'s OptionSpec, Option<&'s str>> {
    specs
        .iter()
        .find(|spec| spec.name == name)
        .ok_or_else(|| nearest(name, specs.iter().map(|spec| &*spec.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &[Text] = &[Cow::Borrowed("zones"), Cow::Borrowed("octagons")];
    const SPECS: &[OptionSpec] = &[
        OptionSpec::flag("cache", "true", ""),
        OptionSpec::integer("bound", "none", 1, u32::MAX as i64, "").or_none(),
        OptionSpec::integer("percent", "10", 0, 100, ""),
        OptionSpec::choice("domain", "zones", WORDS, ""),
        OptionSpec::new(
            "domains",
            OptionKind::List(Cow::Borrowed(WORDS)),
            "zones",
            "",
        ),
    ];

    #[test]
    fn values_are_checked_against_the_whole_schema() {
        let check = |name: &str, text: &str| match find(SPECS, name) {
            Ok(spec) => spec.check(spec.given(text)),
            Err(hint) => Err(format!("no such option, nearest {hint:?}")),
        };
        for (name, text) in [
            ("cache", "false"),
            ("bound", "none"),
            ("bound", "7"),
            ("percent", "100"),
            ("domain", "octagons"),
            ("domains", "zones, octagons"),
            ("domains", ""),
        ] {
            assert_eq!(check(name, text), Ok(()), "{name} = {text}");
        }
        for (name, text, message) in [
            ("cahce", "1", "no such option, nearest Some(\"cache\")"),
            ("cache", "2", "must be true or false"),
            ("bound", "-3", "must be a whole number from 1 on, or none"),
            ("bound", "many", "must be a whole number from 1 on, or none"),
            ("percent", "101", "must be a whole number from 0 to 100"),
            ("percent", "none", "must be a whole number from 0 to 100"),
            (
                "domain",
                "zone",
                "is `zone`, did you mean `zones`? It must be zones or octagons",
            ),
            ("domains", "zones,cubes", "must be some of zones, octagons"),
        ] {
            assert_eq!(check(name, text), Err(message.into()), "{name} = {text}");
        }
    }
}
