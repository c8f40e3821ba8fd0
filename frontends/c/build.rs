//! Generates the parser tables from `src/parse/grammar.lalrpop`.

fn main() {
    println!("cargo:rerun-if-changed=src/parse/grammar.lalrpop");
    lalrpop::Configuration::new()
        .use_cargo_dir_conventions()
        .process()
        .unwrap_or_else(|e| panic!("the C grammar does not build: {e}"));
}
