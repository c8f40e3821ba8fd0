//! The generator of the IVL's parser, away from the crate that uses it.
//!
//! `trellis-ivl` is part of every plugin, and a parser generator takes longer to build than all the rest of one. So its
//! parser is a file of the repository, `ivl/core/generated/grammar.rs`, and the test here says when it is not what the
//! grammar says. To write it anew: `TRELLIS_BLESS=1 cargo test -p trellis-ivl-grammar`.
//!
//! Deliberately absent: anything that other crates use.

/// The parser as the generator makes it of the grammar.
pub const GENERATED: &str = include_str!(concat!(env!("OUT_DIR"), "/grammar.rs"));

#[cfg(test)]
mod tests {
    use super::GENERATED;
    use std::path::Path;

    #[test]
    fn the_parser_is_what_the_grammar_says() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/generated/grammar.rs");
        if std::env::var_os("TRELLIS_BLESS").is_some() {
            std::fs::write(&path, GENERATED).expect("writable");
        }
        let kept = std::fs::read_to_string(&path).expect("a file of the repository");
        assert!(
            kept == GENERATED,
            "{} is not what the grammar says: run TRELLIS_BLESS=1 cargo test -p trellis-ivl-grammar",
            path.display()
        );
    }
}
