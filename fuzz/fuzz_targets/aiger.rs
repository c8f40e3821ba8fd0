//! Any bytes as AIGER: no crash, and what reads is written and read back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trellis_frontend_aiger as aiger;

fuzz_target!(|bytes: &[u8]| {
    let Ok(model) = aiger::parse(bytes) else {
        let _ = aiger::witness::parse(bytes);
        return;
    };
    let _ = aiger::lower(&model, "fuzz.aig");
    let binary = aiger::write_binary(&model);
    let again = aiger::parse(&binary).expect("what we write, we read");
    assert_eq!(binary, aiger::write_binary(&again));
});
