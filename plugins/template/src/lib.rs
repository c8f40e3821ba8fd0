//! The files of a new plugin, in Rust or in C: what `trellis plugin new` writes.
//!
//! The templates are under `files/`; `@NAME@`, `@IDENT@`, `@TYPE@`, `@VERSION@` and `@SDK@` stand for the
//! plugin's id, the id as an identifier, as the name of a type, the version of the SDK, and its path. Both
//! templates are the same small but real engine: it proves what the control-flow graph alone shows.
//!
//! Deliberately absent: writing files, which is the command line's business.

use trellis_plugin_abi::handshake::valid_id;

/// Where this crate was built: the SDK is beside it.
pub const SDK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../sdk");

/// The C header that plugins are compiled with.
pub const HEADER: &str = include_str!("../../abi/include/trellis.h");

/// What a plugin may be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Rust, over the SDK.
    Rust,
    /// C, over the header.
    C,
}

/// A name that no plugin may have. (User's input.)
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` cannot be the name of a plugin: lower-case letters, digits and dashes, beginning with a letter"
)]
pub struct BadName(pub String);

/// The files of a new plugin, as paths below its folder and their texts. `sdk` is the path of the
/// SDK that a Rust plugin depends on.
pub fn files(
    name: &str,
    language: Language,
    sdk: &str,
) -> Result<Vec<(&'static str, String)>, BadName> {
    if !valid_id(name) || name.ends_with('-') || name.contains("--") {
        return Err(BadName(name.to_string()));
    }
    let fill = |text: &str| {
        text.replace("@NAME@", name)
            .replace("@IDENT@", &name.replace('-', "_"))
            .replace("@TYPE@", &type_name(name))
            .replace("@VERSION@", env!("CARGO_PKG_VERSION"))
            .replace("@SDK@", &sdk.replace('\\', "\\\\").replace('"', "\\\""))
    };
    Ok(match language {
        Language::Rust => vec![
            ("Cargo.toml", fill(include_str!("../files/Cargo.toml.in"))),
            ("src/lib.rs", fill(include_str!("../files/lib.rs.in"))),
            (".gitignore", "/target\n".to_string()),
        ],
        Language::C => vec![
            ("engine.c", fill(include_str!("../files/engine.c.in"))),
            ("Makefile", fill(include_str!("../files/Makefile.in"))),
            ("safe.ivl", include_str!("../files/safe.ivl").to_string()),
            ("trellis.h", HEADER.to_string()),
        ],
    })
}

/// `my-engine` as `MyEngine`.
fn type_name(name: &str) -> String {
    let capital = |word: &str| {
        let mut chars = word.chars();
        let first = chars.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(chars).collect::<String>()
    };
    name.split('-').map(capital).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(type_name("my-engine-2"), "MyEngine2");
        assert!(files("My Engine", Language::C, "").is_err());
        assert!(files("engine-", Language::C, "").is_err());
        for language in [Language::Rust, Language::C] {
            for (path, text) in files("my-engine", language, "/sdk").expect("a good name") {
                assert!(
                    !text.contains("@NAME@") && !text.contains("@TYPE@"),
                    "{path}"
                );
            }
        }
    }
}
