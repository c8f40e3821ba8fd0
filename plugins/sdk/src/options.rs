//! Typed options with documentation, defaults and a schema, from one declaration.
//!
//! [`options!`](crate::options!) makes a struct that serde reads (unknown keys are errors) and a
//! table of its fields as constant data, so that the schema stands in the plugin's descriptor and
//! needs no code of the plugin to be read. This replaces a derive macro and a schema crate.

use serde::de::DeserializeOwned;

/// One option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionDoc {
    /// Its name.
    pub name: &'static str,
    /// `integer`, `boolean`, `number`, `string`, or `a|b` for a choice of words.
    pub ty: &'static str,
    /// Its default, as written in the source: a literal, so that people can read it.
    pub default: &'static str,
    /// What it does; the lines of its documentation.
    pub doc: &'static [&'static str],
}

/// The options of an engine.
pub trait EngineOptions: DeserializeOwned + Default {
    /// All of them, in the order of declaration.
    const DOCS: &'static [OptionDoc];
}

/// An engine without options.
impl EngineOptions for NoOptions {
    const DOCS: &'static [OptionDoc] = &[];
}

/// The type of an engine's options when it has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoOptions {}

/// A type that an option may have.
pub trait OptionType {
    /// Its name in a schema.
    const NAME: &'static str;
}

macro_rules! option_types {
    ($name:literal: $($ty:ty)*) => { $(impl OptionType for $ty { const NAME: &'static str = $name; })* };
}
option_types!("integer": u8 u16 u32 u64 usize i8 i16 i32 i64 isize);
option_types!("boolean": bool);
option_types!("number": f32 f64);
option_types!("string": String);

/// Declares the options of an engine.
///
/// ```
/// trellis_plugin_sdk::options! {
///     /// What the engine may be told.
///     pub struct Options {
///         /// How deep to look.
///         depth: u32 = 100,
///         /// Whether to begin at the error.
///         backward: bool = false,
///         /// What to look at.
///         domains: String = "equalities,zones".into(),
///     }
/// }
/// assert_eq!(Options::default().depth, 100);
/// ```
#[macro_export]
macro_rules! options {
    ($(#[$meta:meta])* $vis:vis struct $Name:ident {
        $($(#[doc = $doc:literal])* $field:ident: $ty:ty = $default:expr),* $(,)?
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
            const DOCS: &'static [$crate::OptionDoc] = &[$($crate::OptionDoc {
                name: stringify!($field),
                ty: <$ty as $crate::OptionType>::NAME,
                default: stringify!($default),
                doc: &[$($doc),*],
            }),*];
        }
    };
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
        $(#[$first_meta:meta])* $First:ident = $first:literal
        $(, $(#[$variant_meta:meta])* $Variant:ident = $word:literal)* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, $crate::private::serde::Deserialize)]
        #[serde(crate = "trellis_plugin_sdk::private::serde")]
        $vis enum $Name {
            $(#[$first_meta])* #[serde(rename = $first)] $First,
            $($(#[$variant_meta])* #[serde(rename = $word)] $Variant,)*
        }

        impl $crate::OptionType for $Name {
            const NAME: &'static str = concat!($first $(, "|", $word)*);
        }
    };
}

/// Writes the schema of `docs` into a buffer of constant size; `None` counts only.
const fn schema(docs: &[OptionDoc], mut out: Option<&mut [u8]>) -> usize {
    let mut at = put(&mut out, 0, br#"{"options":["#);
    let mut i = 0;
    while i < docs.len() {
        if i > 0 {
            at = put(&mut out, at, b",");
        }
        let doc = &docs[i];
        at = put(&mut out, at, br#"{"name":""#);
        at = put_escaped(&mut out, at, doc.name.as_bytes());
        at = put(&mut out, at, br#"","type":""#);
        at = put_escaped(&mut out, at, doc.ty.as_bytes());
        at = put(&mut out, at, br#"","default":""#);
        at = put_escaped(&mut out, at, value(doc.default.as_bytes()));
        at = put(&mut out, at, br#"","doc":""#);
        let mut line = 0;
        while line < doc.doc.len() {
            let text = doc.doc[line].as_bytes();
            // Documentation lines begin with the space after the slashes; the first loses it.
            let text = match text {
                [b' ', rest @ ..] if line == 0 => rest,
                _ => text,
            };
            at = put_escaped(&mut out, at, text);
            line += 1;
        }
        at = put(&mut out, at, br#""}"#);
        i += 1;
    }
    at = put(&mut out, at, b"]}");
    put(&mut out, at, b"\0")
}

/// A default without what makes a literal a `String`.
const fn value(source: &[u8]) -> &[u8] {
    match source {
        [text @ .., b'.', b'i', b'n', b't', b'o', b'(', b')'] => text,
        source => source,
    }
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
pub const fn schema_len(docs: &[OptionDoc]) -> usize {
    schema(docs, None)
}

/// The schema with its terminating zero.
#[doc(hidden)]
pub const fn schema_bytes<const N: usize>(docs: &[OptionDoc]) -> [u8; N] {
    let mut bytes = [0; N];
    schema(docs, Some(&mut bytes));
    bytes
}
