//! Generates the parser of the text form from `ivl/core/src/text/grammar.lalrpop`.

fn main() {
    let sources = "../core/src/text";
    println!("cargo:rerun-if-changed={sources}/grammar.lalrpop");
    let out = std::env::var("OUT_DIR").expect("cargo says where to write");
    lalrpop::Configuration::new()
        .set_in_dir(sources)
        .set_out_dir(out)
        .force_build(true)
        .process()
        .unwrap_or_else(|e| panic!("the text form's grammar: {e}"));
}
