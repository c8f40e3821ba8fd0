//! The files of a new plugin, in Rust or in C: what `trellis plugin new` writes.
//!
//! The templates are under `files/`; `@NAME@`, `@IDENT@`, `@TYPE@`, `@KIND@`, `@VERSION@` and `@SDK@` stand for the plugin's id, the id
//! as an identifier, as the name of a type, what its library's name says that it is, the version of the SDK, and its path.
//! Every template is small but real: it does something, and its tests would notice if it did not.
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

/// What a plugin may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Decides programs; this one by the control-flow graph alone.
    Engine,
    /// An engine with a solver: sessions, lemmas, invariants.
    SmtEngine,
    /// Transforms programs.
    Pass,
    /// Answers queries.
    Solver,
    /// Reads a language.
    FrontEnd,
}

impl Kind {
    /// What the name of the library begins with, after `trellis_`.
    fn prefix(self) -> &'static str {
        match self {
            Kind::Engine | Kind::SmtEngine => "engine",
            Kind::Pass => "pass",
            Kind::Solver => "backend",
            Kind::FrontEnd => "frontend",
        }
    }
}

/// Why there are no files. (User's input.)
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// A name that no plugin may have.
    #[error(
        "`{0}` cannot be the name of a plugin: lower-case letters, digits and dashes, beginning with a letter"
    )]
    BadName(String),
    /// What exists in Rust only.
    #[error("there is no template in C for {0}; there is one in Rust")]
    NotInC(&'static str),
}

/// The files of a new plugin, as paths below its folder and their texts. `sdk` is the path of the
/// SDK that a Rust plugin depends on; what its tests need is beside it.
pub fn files(
    name: &str,
    kind: Kind,
    language: Language,
    sdk: &str,
) -> Result<Vec<(String, String)>, TemplateError> {
    if !valid_id(name) || name.ends_with('-') || name.contains("--") {
        return Err(TemplateError::BadName(name.to_string()));
    }
    let fill = |text: &str| {
        text.replace("@NAME@", name)
            .replace("@IDENT@", &name.replace('-', "_"))
            .replace("@TYPE@", &type_name(name))
            .replace("@KIND@", kind.prefix())
            .replace("@VERSION@", env!("CARGO_PKG_VERSION"))
            .replace("@SDK@", &sdk.replace('\\', "\\\\").replace('"', "\\\""))
    };
    let mut files = match language {
        Language::Rust => vec![
            (
                "Cargo.toml".to_string(),
                include_str!("../files/Cargo.toml.in")
                    .replace("@DEPENDENCIES@", dependencies(kind)),
            ),
            ("src/lib.rs".into(), rust(kind).into()),
            (".gitignore".into(), "/target\n".into()),
        ],
        Language::C => vec![
            (format!("{}.c", kind.prefix()), c(kind)?.into()),
            (
                "Makefile".into(),
                include_str!("../files/Makefile.in").replace("@CHECK@", check(kind)),
            ),
            ("trellis.h".into(), HEADER.into()),
        ],
    };
    files.extend(examples(kind, language));
    Ok(files
        .into_iter()
        .map(|(path, text)| (fill(&path), fill(&text)))
        .collect())
}

fn rust(kind: Kind) -> &'static str {
    match kind {
        Kind::Engine => include_str!("../files/engine.rs.in"),
        Kind::SmtEngine => include_str!("../files/smt.rs.in"),
        Kind::Pass => include_str!("../files/pass.rs.in"),
        Kind::Solver => include_str!("../files/solver.rs.in"),
        Kind::FrontEnd => include_str!("../files/frontend.rs.in"),
    }
}

fn c(kind: Kind) -> Result<&'static str, TemplateError> {
    match kind {
        Kind::Engine => Ok(include_str!("../files/engine.c.in")),
        Kind::Pass => Ok(include_str!("../files/pass.c.in")),
        Kind::FrontEnd => Ok(include_str!("../files/frontend.c.in")),
        Kind::Solver => Ok(include_str!("../files/backend.c.in")),
        Kind::SmtEngine => Err(TemplateError::NotInC("engines with a solver")),
    }
}

/// Lines of the manifest, from the SDK on.
fn dependencies(kind: Kind) -> &'static str {
    match kind {
        Kind::FrontEnd => "trellis-plugin-sdk = { version = \"@VERSION@\", path = \"@SDK@\" }\n",
        Kind::Engine => {
            "trellis-plugin-sdk = { version = \"@VERSION@\", path = \"@SDK@\" }

[dev-dependencies]
# Tests read programs as text.
trellis-plugin-sdk = { version = \"@VERSION@\", path = \"@SDK@\", features = [\"text\"] }
"
        }
        Kind::SmtEngine => {
            "trellis-plugin-sdk = { version = \"@VERSION@\", path = \"@SDK@\" }

[dev-dependencies]
# Tests read programs as text.
trellis-plugin-sdk = { version = \"@VERSION@\", path = \"@SDK@\", features = [\"text\"] }
trellis-solver-batsat = { version = \"@VERSION@\", path = \"@SDK@/../../solvers/batsat\" }
trellis-solver-bitblast = { version = \"@VERSION@\", path = \"@SDK@/../../solvers/bitblast\" }
"
        }
        Kind::Pass => {
            "trellis-plugin-sdk = { version = \"@VERSION@\", path = \"@SDK@\", features = [\"pass\"] }

[dev-dependencies]
insta = \"1\"
trellis-ivl-testing = { version = \"@VERSION@\", path = \"@SDK@/../../ivl/testing\" }
"
        }
        Kind::Solver => {
            "trellis-plugin-sdk = { version = \"@VERSION@\", path = \"@SDK@\" }

[dev-dependencies]
trellis-solver-api = { version = \"@VERSION@\", path = \"@SDK@/../../solvers/api\", features = [\"testing\"] }
"
        }
    }
}

/// What `make check` does beyond the handshake.
fn check(kind: Kind) -> &'static str {
    match kind {
        Kind::Engine | Kind::SmtEngine => "$(TRELLIS) check --plugins . --engine @NAME@ safe.ivl",
        Kind::Solver => {
            "TRELLIS_PLUGIN_PATH=. $(TRELLIS) check --engine kiki --solver @NAME@ safe.ivl"
        }
        Kind::Pass => "$(TRELLIS) ivl opt -v --plugins . --passes @NAME@ blocked.ivl",
        Kind::FrontEnd => "$(TRELLIS) check --plugins . safe.@NAME@",
    }
}

/// What the tests of a plugin work on.
fn examples(kind: Kind, language: Language) -> Vec<(String, String)> {
    let file = |path: &str, text: &str| vec![(path.to_string(), text.to_string())];
    match (kind, language) {
        (Kind::Engine, Language::C) => file("safe.ivl", include_str!("../files/safe.ivl")),
        (Kind::Engine, Language::Rust) => Vec::new(),
        (Kind::SmtEngine, _) => file("safe.ivl", include_str!("../files/counter.ivl")),
        (Kind::Solver, _) => file("safe.ivl", include_str!("../files/tiny.ivl")),
        (Kind::Pass, Language::Rust) => {
            let mut files = file("blocked.ivl", include_str!("../files/blocked.ivl"));
            files.push((
                "src/snapshots/trellis_pass_@IDENT@__tests__drops_the_blocked_branch.snap".into(),
                include_str!("../files/blocked.snap").into(),
            ));
            files
        }
        (Kind::Pass, Language::C) => file("blocked.ivl", include_str!("../files/unreachable.ivl")),
        (Kind::FrontEnd, Language::Rust) => {
            file("safe.@NAME@", include_str!("../files/safe.counter"))
        }
        (Kind::FrontEnd, Language::C) => file("safe.@NAME@", "no marks in here\n"),
    }
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
        let c = |name| files(name, Kind::Engine, Language::C, "");
        assert!(c("My Engine").is_err());
        assert!(c("engine-").is_err());
        let kinds = [
            Kind::Engine,
            Kind::SmtEngine,
            Kind::Pass,
            Kind::Solver,
            Kind::FrontEnd,
        ];
        for kind in kinds {
            for language in [Language::Rust, Language::C] {
                let all = match files("my-plugin", kind, language, "/sdk") {
                    Ok(all) => all,
                    Err(TemplateError::NotInC(_)) => continue,
                    Err(e) => panic!("{e}"),
                };
                for (path, text) in all {
                    let left = text.split('@').nth(1).filter(|word| {
                        !word.is_empty() && word.bytes().all(|b| b.is_ascii_uppercase())
                    });
                    assert_eq!(left, None, "{path} of {kind:?}");
                }
            }
        }
    }
}
