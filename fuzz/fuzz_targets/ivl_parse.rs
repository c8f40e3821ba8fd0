//! Any bytes as IVL text: no crash, and what parses prints to a fixed point.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trellis_ivl::text;

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(program) = text::parse(source) else {
        return;
    };
    let printed = program.to_string();
    let again = match text::parse(&printed) {
        Ok(p) => p,
        Err(e) => panic!("printed text does not parse: {e}\n{printed}"),
    };
    assert_eq!(printed, again.to_string());
    // The verifier and the drawing must cope with whatever parses.
    let _ = trellis_ivl::verify::verify(&program);
    let _ = trellis_ivl::dot::dot(&program);
});
