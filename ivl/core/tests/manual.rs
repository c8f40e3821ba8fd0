//! The examples of the manual's chapter on the language parse, verify and print stably.

use trellis_ivl::text::{parse, print};
use trellis_ivl::verify::verify;

#[test]
fn examples() {
    let chapter = include_str!("../../../docs/src/ivl.md");
    let mut examples = 0;
    for block in chapter.split("```ivl\n").skip(1) {
        let (text, _) = block.split_once("```").expect("the block ends");
        let p = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        verify(&p).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let canonical = print(&p);
        let again = parse(&canonical).unwrap_or_else(|e| panic!("{e}\n{canonical}"));
        assert_eq!(print(&again), canonical);
        examples += 1;
    }
    assert!(examples >= 6, "found {examples} examples");
}
