//! What fuzzing has found: each program went wrong with some pass once.

use trellis_ivl_passes::PASSES;
use trellis_ivl_testing::{check_list, parse};

#[test]
fn found_programs_stay_right() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fuzzed");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of found programs")
        .map(|f| f.expect("a file").path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let program = parse(&text);
        for (name, _, _) in PASSES {
            let list = format!("inline(recursion=2, max_edges=200), {name}");
            let result = check_list(&program, &list);
            assert_eq!(result, Ok(true), "{list} on {}", file.display());
        }
    }
}
