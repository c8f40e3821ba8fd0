//! Generates the parser tables from `src/text/grammar.lalrpop`.

fn main() {
    println!("cargo:rerun-if-changed=src/text/grammar.lalrpop");
    lalrpop::process_src().unwrap_or_else(|e| panic!("the text form's grammar: {e}"));
}
