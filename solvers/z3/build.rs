//! Satisfies the `-lz3` of z3-sys with an empty archive, so that nothing links Z3: see src/delay.rs.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    // What `ar` writes for an archive without members.
    fs::write(Path::new(&out).join("libz3.a"), "!<arch>\n").expect("OUT_DIR is writable");
    println!("cargo::rustc-link-search=native={out}");
}
