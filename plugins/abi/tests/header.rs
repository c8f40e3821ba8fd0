//! The committed C header is what the Rust side says. To write it anew:
//! `TRELLIS_BLESS=1 cargo test -p trellis-plugin-abi`.

use std::path::Path;

fn generated() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut config = cbindgen::Config {
        language: cbindgen::Language::C,
        include_guard: Some("TRELLIS_H".into()),
        autogen_warning: Some(
            "/* Generated from plugins/abi/src by its tests; do not edit. */".into(),
        ),
        header: Some(preamble(root)),
        cpp_compat: true,
        documentation: true,
        documentation_style: cbindgen::DocumentationStyle::C99,
        line_length: 100,
        no_includes: true,
        sys_includes: vec!["stddef.h".into(), "stdint.h".into()],
        usize_is_size_t: true,
        after_includes: Some(texts()),
        ..cbindgen::Config::default()
    };
    config.export.include = [
        "TrellisPlugin",
        "TrellisLemmas",
        "TrellisText",
        "TrellisSatStats",
    ]
    .map(String::from)
    .to_vec();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in ["words", "plugin", "host", "smt", "sat"] {
        builder = builder.with_src(root.join(format!("src/{file}.rs")));
    }
    let bindings = builder.generate().expect("the sources parse");
    let mut bytes = Vec::new();
    bindings.write(&mut bytes);
    String::from_utf8(bytes).expect("cbindgen writes UTF-8")
}

/// Constants that are texts, which cbindgen leaves out.
fn texts() -> String {
    let mut text =
        String::from("\n// The bytes of `magic`; the terminating zero is one of them.\n");
    let magic = std::str::from_utf8(&trellis_plugin_abi::TRELLIS_MAGIC[..7]).expect("ASCII");
    text += &format!("#define TRELLIS_MAGIC \"{magic}\"\n\n// Names of the extensions.\n");
    for (name, value) in [
        ("SMT", trellis_plugin_abi::TRELLIS_EXTENSION_SMT),
        ("SAT", trellis_plugin_abi::TRELLIS_EXTENSION_SAT),
        ("LEMMAS", trellis_plugin_abi::TRELLIS_EXTENSION_LEMMAS),
        ("TEXT", trellis_plugin_abi::TRELLIS_EXTENSION_TEXT),
    ] {
        text += &format!("#define TRELLIS_EXTENSION_{name} \"{value}\"\n");
    }
    text + BUILT
}

const BUILT: &str = r"
// The fields of `trellis_plugin` that say what it was built against.
#define TRELLIS_BUILT_AGAINST_THIS_HEADER \
  .magic = TRELLIS_MAGIC, .abi_major = TRELLIS_ABI_MAJOR, .abi_minor = TRELLIS_ABI_MINOR, \
  .size = sizeof(TrellisPlugin), .host_size = sizeof(TrellisHost), .task_size = sizeof(TrellisTask), \
  .image_version = TRELLIS_IMAGE_VERSION
";

/// The rules of the border and the documentation of the word streams, as one comment.
fn preamble(root: &Path) -> String {
    let mut text = String::from("/* The C interface of Trellis plugins.\n *\n");
    for line in RULES.trim().lines() {
        text += &format!(" * {line}\n");
    }
    let words = std::fs::read_to_string(root.join("src/words.rs")).expect("the source is there");
    for line in words.lines().map_while(|line| line.strip_prefix("//!")) {
        text += &format!(" *{line}\n");
    }
    text + " */"
}

const RULES: &str = "
A plugin is a shared library that exports one constant, `const TrellisPlugin trellis_plugin`.
Structures begin with their size and only grow. No ownership crosses: what a call returns a
pointer to stays the callee's and is valid until the next call on the same object, unless the
field says otherwise. A function that fails returns a status below zero.
";

#[test]
fn header_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/trellis.h");
    let header = generated();
    if std::env::var_os("TRELLIS_BLESS").is_some() {
        std::fs::write(&path, &header).expect("the source tree is writable");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == header,
        "include/trellis.h is out of date: run TRELLIS_BLESS=1 cargo test -p trellis-plugin-abi"
    );
}
