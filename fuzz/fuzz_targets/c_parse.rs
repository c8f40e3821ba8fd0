//! C texts, raw and mutated from small programs, through the parser and the type checker: no crash.
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
    let raw = bytes.first().is_some_and(|b| b % 4 == 0);
    let text = match raw {
        true => bytes[1..].to_vec(),
        false => tokens::mutate(&TEXTS, &mut tokens::Choices(bytes)).into_bytes(),
    };
    let _ = c::program::check_texts(vec![("fuzz.c".into(), text)], c::types::DataModel::Ilp32);
});
