//! Any bytes as BTOR2: no crash, and what reads is written and read back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trellis_frontend_btor2 as btor2;

fuzz_target!(|bytes: &[u8]| {
    let Ok(model) = btor2::parse(bytes) else {
        let _ = btor2::witness::parse(bytes);
        return;
    };
    let _ = btor2::lower(&model, "fuzz.btor2");
    let text = btor2::write(&model);
    let again = btor2::parse(text.as_bytes()).expect("what we write, we read");
    assert_eq!(text, btor2::write(&again));
});
