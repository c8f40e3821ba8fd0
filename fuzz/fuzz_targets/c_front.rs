//! C texts mutated from small programs through the whole front end: no crash, and what is made is well-formed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use trellis_frontend_c as c;

#[path = "../../frontends/c/examples/mutate/tokens.rs"]
mod tokens;

/// The programs of the corpus as tokens.
static TEXTS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/c");
    tokens::corpus(std::path::Path::new(dir))
});

fuzz_target!(|bytes: &[u8]| {
    let all = bytes.first().is_some_and(|b| b % 2 == 0);
    let options = c::program::Options {
        properties: match all {
            true => c::lower::Properties::ALL,
            false => c::lower::Properties::REACH,
        },
        ..c::program::Options::default()
    };
    let text = tokens::mutate(&TEXTS, &mut tokens::Choices(bytes)).into_bytes();
    if let Ok(compiled) = c::program::compile_texts(vec![("fuzz.c".into(), text)], &options) {
        let program = &compiled.lowered.program;
        assert!(trellis_ivl::verify::verify(program).is_ok(), "{program}");
    }
});
