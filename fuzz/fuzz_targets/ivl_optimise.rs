//! Any bytes as IVL text: what is well-formed goes through passes chosen by a hash of the text, and
//! reaches the same errors before and after, with traces and invariants that translate back. So plain
//! IVL files are good seeds, and a file alone repeats what was found with it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trellis_ivl::{text, verify};
use trellis_ivl_passes::{PASSES, Property, parse_list};
use trellis_ivl_testing::check_list;

/// How many passes follow `inline`.
const PASS_COUNT: u32 = 4;

/// The passes for a text (FNV-1a).
fn chosen(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |h, &b| {
        (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
    });
    let mut list = "inline(recursion=2,max_edges=200)".to_string();
    for i in 0..PASS_COUNT {
        let pick = (hash >> (16 * i)) as usize % PASSES.len();
        let (name, _, _) = PASSES[pick];
        if name != "inline" {
            list += &format!(", {name}");
        }
    }
    list
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(program) = text::parse(source) else {
        return;
    };
    if program.edges.len() > 60 || verify::verify(&program).is_err() {
        return;
    }
    let list = chosen(bytes);
    // Some orders are refused; and a promise about regions that the text breaks allows any result.
    if parse_list(&list, &Property::of(&program)).is_err()
        || (list.contains("points-to") && !program.regions.is_empty())
    {
        return;
    }
    if let Err(why) = check_list(&program, &list) {
        panic!("{list}: {why}");
    }
});
