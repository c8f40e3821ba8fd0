//! Typed options with documentation, defaults and a schema, from one declaration.
//!
//! [`options!`](crate::options!) makes a struct that serde reads (unknown keys are errors) and a
//! table of its fields as constant data, so that the schema stands in the plugin's descriptor and
//! needs no code of the plugin to be read. This replaces a derive macro and a schema crate.

use serde::de::DeserializeOwned;
use std::borrow::Cow;
use trellis_ivl::option::{Given, NONE, Text, find, list};
pub use trellis_ivl::option::{OptionKind, OptionSpec};

/// The options of an engine.
pub trait EngineOptions: DeserializeOwned + Default {
    /// All of them, in the order of declaration.
    const DOCS: Schema;
}

/// A table of options as constant data.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// The options. In those that [`options!`](crate::options!) makes, defaults are as in the source.
    pub specs: &'static [OptionSpec],
    /// How the words of choices are called in the source, by option.
    #[doc(hidden)]
    pub names: &'static [&'static [Named]],
}

impl Schema {
    /// A table whose defaults are as one writes them.
    pub const fn of(specs: &'static [OptionSpec]) -> Schema {
        Schema { specs, names: &[] }
    }
}

/// A variant of a choice, and the word it stands for.
pub type Named = (&'static str, &'static str);

/// An engine without options.
impl EngineOptions for NoOptions {
    const DOCS: Schema = Schema::of(&[]);
}

/// The type of an engine's options when it has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoOptions {}

/// A type that an option may have.
pub trait OptionType {
    /// What its values are.
    const KIND: OptionKind;
    /// Whether `none` is one of them.
    const OPTIONAL: bool = false;
    /// Whether they are numbers that may have a range.
    const RANGED: bool = false;
    /// The words of a choice.
    const WORDS: &'static [Text] = &[];
    /// The variants of a choice.
    const NAMES: &'static [Named] = &[];
}

macro_rules! integers {
    ($($ty:ty)*) => { $(impl OptionType for $ty {
        const KIND: OptionKind = OptionKind::Integer { min: <$ty>::MIN as i128, max: <$ty>::MAX as i128 };
        const RANGED: bool = true;
    })* };
}
integers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

impl OptionType for bool {
    const KIND: OptionKind = OptionKind::Boolean;
}

impl OptionType for f32 {
    const KIND: OptionKind = OptionKind::Number;
}

impl OptionType for f64 {
    const KIND: OptionKind = OptionKind::Number;
}

impl OptionType for String {
    const KIND: OptionKind = OptionKind::Text;
}

/// A value or `none`.
impl<T: OptionType> OptionType for Option<T> {
    const KIND: OptionKind = T::KIND;
    const OPTIONAL: bool = true;
    const RANGED: bool = T::RANGED;
    const WORDS: &'static [Text] = T::WORDS;
    const NAMES: &'static [Named] = T::NAMES;
}

/// A list of words.
impl<T: OptionType> OptionType for Vec<T> {
    const KIND: OptionKind = {
        assert!(
            !T::WORDS.is_empty(),
            "a list is one of words: of a type that `option_enum!` makes"
        );
        OptionKind::List(Cow::Borrowed(T::WORDS))
    };
    const NAMES: &'static [Named] = T::NAMES;
}

/// Declares the options of an engine.
///
/// A type is a number, `bool`, `String`, what [`option_enum!`](crate::option_enum!) makes, `Option` of one of
/// these, which may be `none`, or `Vec` of a choice. A number may have a range.
///
/// ```
/// trellis_plugin_sdk::options! {
///     /// What the engine may be told.
///     pub struct Options {
///         /// How deep to look, if there is a limit.
///         depth: Option<u32> = None,
///         /// How often to try.
///         tries: u32 where 1..=1000 = 100,
///         /// Whether to begin at the error.
///         backward: bool = false,
///     }
/// }
/// assert_eq!(Options::default().depth, None);
/// ```
#[macro_export]
macro_rules! options {
    ($(#[$meta:meta])* $vis:vis struct $Name:ident {
        $($(#[doc = $doc:literal])* $field:ident: $ty:ty $(where $min:literal..=$max:literal)? = $default:expr),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, $crate::private::serde::Deserialize)]
        #[serde(crate = "trellis_plugin_sdk::private::serde", deny_unknown_fields, default)]
        $vis struct $Name {
            $($(#[doc = $doc])* pub $field: $ty,)*
        }

        impl Default for $Name {
            fn default() -> Self {
                $Name { $($field: $default,)* }
            }
        }

        impl $crate::EngineOptions for $Name {
            const DOCS: $crate::options::Schema = $crate::options::Schema {
                specs: &[$($crate::OptionSpec {
                name: ::std::borrow::Cow::Borrowed(stringify!($field)),
                kind: $crate::options::within::<$ty>(&[$($min, $max)?]),
                optional: <$ty as $crate::OptionType>::OPTIONAL,
                default: ::std::borrow::Cow::Borrowed(stringify!($default)),
                doc: ::std::borrow::Cow::Borrowed(concat!($($doc),*)),
                }),*],
                names: &[$(<$ty as $crate::OptionType>::NAMES),*],
            };
        }
    };
}

/// A type, with a range of its own where one is given.
#[doc(hidden)]
pub const fn within<T: OptionType>(range: &[i128]) -> OptionKind {
    match range {
        &[min, max] => {
            assert!(T::RANGED, "only whole numbers have a range");
            OptionKind::Integer { min, max }
        }
        _ => T::KIND,
    }
}

/// Declares a choice of words as the type of an option.
///
/// ```
/// trellis_plugin_sdk::option_enum! {
///     /// Where to begin.
///     pub enum Direction {
///         /// At the entry.
///         Forward = "forward",
///         /// At the error.
///         Backward = "backward",
///     }
/// }
/// ```
#[macro_export]
macro_rules! option_enum {
    ($(#[$meta:meta])* $vis:vis enum $Name:ident {
        $($(#[$variant_meta:meta])* $Variant:ident = $word:literal),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, $crate::private::serde::Deserialize)]
        #[serde(crate = "trellis_plugin_sdk::private::serde")]
        $vis enum $Name {
            $($(#[$variant_meta])* #[serde(rename = $word)] $Variant,)*
        }

        impl $crate::OptionType for $Name {
            const KIND: $crate::OptionKind =
                $crate::OptionKind::Choice(::std::borrow::Cow::Borrowed(Self::WORDS));
            const WORDS: &'static [::std::borrow::Cow<'static, str>] =
                &[$(::std::borrow::Cow::Borrowed($word)),*];
            const NAMES: &'static [$crate::options::Named] = &[$((stringify!($Variant), $word)),*];
        }
    };
}

/// Options of an engine from one JSON object; empty text means all defaults.
pub fn parse<O: EngineOptions>(json: &[u8]) -> Result<O, String> {
    if json.is_empty() {
        return Ok(O::default());
    }
    use serde_json::Value;
    let value: Value = serde_json::from_slice(json).map_err(|e| e.to_string())?;
    let Value::Object(mut object) = value else {
        return Err("options are one object".into());
    };
    let mut wrong = Vec::new();
    for (key, value) in &mut object {
        let spec = match find(O::DOCS.specs, key) {
            Ok(spec) => spec,
            Err(hint) => {
                let hint = hint.map_or(String::new(), |h| format!(", did you mean `{h}`?"));
                wrong.push(format!("there is no option `{key}`{hint}"));
                continue;
            }
        };
        let items: Vec<&str> = value
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(Value::as_str)
            .collect();
        let given = match &*value {
            Value::Bool(b) => Given::Boolean(*b),
            Value::Number(n) => match (n.as_i128(), n.as_f64()) {
                (Some(n), _) => Given::Integer(n),
                (None, Some(x)) => Given::Number(x),
                (None, None) => Given::Other("a number that is too large"),
            },
            Value::String(text) => Given::Text(text),
            Value::Array(all) if all.len() == items.len() => Given::List(&items),
            _ => Given::Other("something else"),
        };
        if let Err(message) = spec.check(given) {
            wrong.push(format!("`{key}` {message}"));
            continue;
        }
        let replaced = match (&spec.kind, given) {
            (_, Given::Text(NONE)) if spec.optional => Some(Value::Null),
            (OptionKind::List(_), Given::Text(text)) => Some(list(text).collect()),
            _ => None,
        };
        if let Some(replaced) = replaced {
            *value = replaced;
        }
    }
    if !wrong.is_empty() {
        return Err(wrong.join("; "));
    }
    serde_json::from_value(Value::Object(object)).map_err(|e| e.to_string())
}

/// The schema as JSON, written into a buffer of constant size; `None` counts only.
const fn write(schema: Schema, mut out: Option<&mut [u8]>) -> usize {
    let Schema { specs, names } = schema;
    let out = &mut out;
    let mut at = put(out, 0, br#"{"options":["#);
    let mut i = 0;
    while i < specs.len() {
        let spec = &specs[i];
        at = put(
            out,
            at,
            if i > 0 {
                br#",{"name":""#
            } else {
                br#"{"name":""#
            },
        );
        at = put_escaped(out, at, borrowed(&spec.name));
        at = put(out, at, br#"","type":""#);
        at = match &spec.kind {
            OptionKind::Boolean => put(out, at, b"boolean\""),
            OptionKind::Number => put(out, at, b"number\""),
            OptionKind::Text => put(out, at, b"string\""),
            OptionKind::Other(ty) => {
                let at = put_escaped(out, at, borrowed(ty));
                put(out, at, b"\"")
            }
            OptionKind::Integer { min, max } => {
                let at = put(out, at, br#"integer","min":"#);
                let at = put_integer(out, at, *min);
                let at = put(out, at, br#","max":"#);
                put_integer(out, at, *max)
            }
            // One text that a host of the first version reads as a choice.
            OptionKind::Choice(words) => {
                let at = put_words(out, at, all(words), b"|");
                put(out, at, b"\"")
            }
            OptionKind::List(words) => {
                let at = put(out, at, br#"string","words":[""#);
                let at = put_words(out, at, all(words), br#"",""#);
                put(out, at, br#""]"#)
            }
        };
        if spec.optional {
            at = put(out, at, br#","optional":true"#);
        }
        at = put(out, at, br#","default":""#);
        let own: &[Named] = if i < names.len() { names[i] } else { &[] };
        at = put_default(out, at, borrowed(&spec.default), own);
        at = put(out, at, br#"","doc":""#);
        // Documentation begins with the space after the slashes.
        let doc = match borrowed(&spec.doc) {
            [b' ', rest @ ..] => rest,
            doc => doc,
        };
        at = put_escaped(out, at, doc);
        at = put(out, at, br#""}"#);
        i += 1;
    }
    at = put(out, at, b"]}");
    put(out, at, b"\0")
}

const fn borrowed(text: &Text) -> &[u8] {
    match text {
        Cow::Borrowed(text) => text.as_bytes(),
        Cow::Owned(_) => panic!("a table of options is constant"),
    }
}

#[allow(
    clippy::ptr_arg,
    reason = "nothing but a match borrows from it in a constant"
)]
const fn all<'a>(words: &'a Cow<'static, [Text]>) -> &'a [Text] {
    match words {
        Cow::Borrowed(words) => words,
        Cow::Owned(_) => panic!("a table of options is constant"),
    }
}

const fn put_words(
    out: &mut Option<&mut [u8]>,
    mut at: usize,
    words: &[Text],
    between: &[u8],
) -> usize {
    let mut i = 0;
    while i < words.len() {
        if i > 0 {
            at = put(out, at, between);
        }
        at = put_escaped(out, at, borrowed(&words[i]));
        i += 1;
    }
    at
}

/// A default as one writes it: words in place of variants, `none` in place of `None`, and no more than the literal of a
/// number or a text.
const fn put_default(
    out: &mut Option<&mut [u8]>,
    mut at: usize,
    source: &[u8],
    names: &[Named],
) -> usize {
    if equal(source, b"None") {
        return put(out, at, NONE.as_bytes());
    }
    let source = match source {
        [b'S', b'o', b'm', b'e', b'(', value @ .., b')'] => value,
        source => source,
    };
    if names.is_empty() {
        if let [
            b'"',
            text @ ..,
            b'"',
            b'.',
            b'i',
            b'n',
            b't',
            b'o',
            b'(',
            b')',
        ] = source
        {
            return put_escaped(out, at, text);
        }
        let mut i = 0;
        while i < source.len() {
            if source[i] != b'_' {
                at = put_escaped(out, at, &[source[i]]);
            }
            i += 1;
        }
        return at;
    }
    let (mut i, mut first) = (0, true);
    while i < source.len() {
        let mut end = i;
        while end < source.len() && (source[end].is_ascii_alphanumeric() || source[end] == b'_') {
            end += 1;
        }
        let (_, rest) = source.split_at(i);
        let (word, _) = rest.split_at(end - i);
        let mut n = 0;
        while n < names.len() {
            if equal(word, names[n].0.as_bytes()) {
                if !first {
                    at = put(out, at, b",");
                }
                at = put_escaped(out, at, names[n].1.as_bytes());
                first = false;
            }
            n += 1;
        }
        i = end + 1;
    }
    at
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

const fn put_integer(out: &mut Option<&mut [u8]>, mut at: usize, n: i128) -> usize {
    if n < 0 {
        at = put(out, at, b"-");
    }
    let (mut digits, mut len, mut rest) = ([0; 40], 0, n.unsigned_abs());
    loop {
        digits[len] = b'0' + (rest % 10) as u8;
        rest /= 10;
        len += 1;
        if rest == 0 {
            break;
        }
    }
    while len > 0 {
        len -= 1;
        at = put(out, at, &[digits[len]]);
    }
    at
}

const fn put(out: &mut Option<&mut [u8]>, mut at: usize, bytes: &[u8]) -> usize {
    let mut i = 0;
    while i < bytes.len() {
        if let Some(out) = out {
            out[at] = bytes[i];
        }
        at += 1;
        i += 1;
    }
    at
}

const fn put_escaped(out: &mut Option<&mut [u8]>, mut at: usize, bytes: &[u8]) -> usize {
    let mut i = 0;
    while i < bytes.len() {
        let byte = bytes[i];
        if byte == b'"' || byte == b'\\' {
            at = put(out, at, b"\\");
        }
        // Control characters have no place in a line of documentation.
        at = put(out, at, &[if byte < b' ' { b' ' } else { byte }]);
        i += 1;
    }
    at
}

/// Length of the schema with its terminating zero.
#[doc(hidden)]
pub const fn schema_len(schema: Schema) -> usize {
    write(schema, None)
}

/// The schema with its terminating zero.
#[doc(hidden)]
pub const fn schema_bytes<const N: usize>(schema: Schema) -> [u8; N] {
    let mut bytes = [0; N];
    write(schema, Some(&mut bytes));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    option_enum! {
        /// Kinds of things.
        pub enum Kind {
            /// Small.
            Small = "small",
            /// Large.
            VeryLarge = "very-large",
        }
    }

    options! {
        /// All types.
        pub struct All {
            /// A limit.
            /// Of two lines.
            bound: Option<u32> = None,
            /// A "percentage".
            percent: u64 where 1..=100 = 1_0,
            flag: bool = true,
            name: String = "na_me".into(),
            kind: Kind = Kind::VeryLarge,
            kinds: Vec<Kind> = vec![Kind::VeryLarge, Kind::Small],
            some: Option<Kind> = Some(Kind::Small),
        }
    }

    #[test]
    fn the_schema_says_all() {
        const LEN: usize = schema_len(All::DOCS);
        let bytes: [u8; LEN] = schema_bytes(All::DOCS);
        let text = std::str::from_utf8(&bytes).expect("text");
        let expected = r#"{"options":[
{"name":"bound","type":"integer","min":0,"max":4294967295,"optional":true,"default":"none","doc":"A limit. Of two lines."},
{"name":"percent","type":"integer","min":1,"max":100,"default":"10","doc":"A \"percentage\"."},
{"name":"flag","type":"boolean","default":"true","doc":""},
{"name":"name","type":"string","default":"na_me","doc":""},
{"name":"kind","type":"small|very-large","default":"very-large","doc":""},
{"name":"kinds","type":"string","words":["small","very-large"],"default":"very-large,small","doc":""},
{"name":"some","type":"small|very-large","optional":true,"default":"small","doc":""}]}"#;
        assert_eq!(text.trim_end_matches('\0'), expected.replace('\n', ""));
    }

    #[test]
    fn options_are_read_as_the_schema_says() {
        assert_eq!(parse(b""), Ok(All::default()));
        let read = parse(br#"{"bound":7,"kinds":"small","some":"none","kind":"small"}"#);
        let expected = All {
            bound: Some(7),
            kinds: vec![Kind::Small],
            some: None,
            kind: Kind::Small,
            ..All::default()
        };
        assert_eq!(read, Ok(expected));
        let read: Result<All, _> = parse(br#"{"bound":"none","kinds":["small","very-large"]}"#);
        assert_eq!(read.map(|o| (o.bound, o.kinds.len())), Ok((None, 2)));
        let wrong: Result<All, _> = parse(br#"{"bond":7,"bound":-3,"kinds":["tiny"],"percent":0}"#);
        assert_eq!(
            wrong.expect_err("four mistakes"),
            "there is no option `bond`, did you mean `bound`?; \
             `bound` must be a whole number from 0 on, or none; \
             `kinds` must be some of small, very-large; \
             `percent` must be a whole number from 1 to 100"
        );
    }
}
