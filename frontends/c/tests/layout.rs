//! Sizes, alignments, offsets and bit positions against the system's C compiler, for both data models.
//!
//! The compiler is asked through its assembly output, so nothing needs to be linked or run.

use std::fmt::Write;
use std::io::Write as _;
use std::process::Command;
use trellis_frontend_c::program::check_texts;
use trellis_frontend_c::types::DataModel;
use trellis_ivl::rng::Rng;

const HAND_WRITTEN: &str = "
typedef long long ll8 __attribute__((aligned(8)));
typedef int int16a __attribute__((aligned(16)));
enum __attribute__((packed)) tiny { T0, T1 = 200 };
struct H0 { char f0; ll8 f1; short f2; };
struct H1 { char f0; int16a f1; };
struct H2 { enum tiny f0; int f1; } __attribute__((packed, aligned(4)));
struct H3 { char f0; struct { long double f2; } f1; _Bool f3; };
struct H4 { int f0; char f1[]; };
struct H5 { };
struct H6 { unsigned long long f0 : 40; unsigned f1 : 20; char f2; };
struct H7 { char f0; int : 0; char f1; long long f2 : 3; };
union H8 { char f0[5]; short f1; double f2; };
struct H9 { char f0; _Alignas(8) short f1; int f2 __attribute__((packed)); };
typedef int int1a __attribute__((aligned(1)));
struct H10 { char f0; int1a f1; };
struct H11 { char f0; int1a f1[2]; };
struct H12 { char f0; int16a f1; } __attribute__((packed));
struct H13 { char f0; int *__attribute__((aligned(16))) f1; };
";
const HAND_COUNT: usize = 14;

fn random_struct(r: &mut Rng, index: usize) -> String {
    let types = [
        "char",
        "short",
        "int",
        "long",
        "long long",
        "double",
        "float",
        "void *",
        "unsigned char",
        "_Bool",
    ];
    let mut text = String::new();
    let pack = [0, 0, 0, 1, 2, 4][r.below(6)];
    if pack > 0 {
        let _ = writeln!(text, "#pragma pack(push, {pack})");
    }
    let word = if r.below(6) == 0 { "union" } else { "struct" };
    let _ = write!(text, "{word} R{index} {{ ");
    for field in 0..1 + r.below(7) {
        let bits = r.below(3) == 0;
        let ty = if bits {
            ["char", "short", "int", "long", "unsigned", "long long"][r.below(6)]
        } else {
            types[r.below(10)]
        };
        let most = match ty {
            "char" => 8,
            "short" => 16,
            "long long" => 64,
            _ => 32,
        };
        let attr = if r.below(8) == 0 && !bits {
            " __attribute__((aligned(8)))"
        } else {
            ""
        };
        let _ = match (bits, r.below(12)) {
            (true, 0) => write!(text, "{ty} : 0; "),
            (true, 1) => write!(text, "{ty} : {}; ", 1 + r.below(most)),
            (true, _) => write!(text, "{ty} f{field} : {}; ", 1 + r.below(most)),
            (false, 0) => write!(text, "{ty} f{field}[{}]{attr}; ", 1 + r.below(3)),
            (false, _) => write!(text, "{ty} f{field}{attr}; "),
        };
    }
    let attr = [
        "",
        "",
        "",
        " __attribute__((packed))",
        " __attribute__((aligned(16)))",
    ][r.below(5)];
    let _ = writeln!(text, "int last; }}{attr};");
    if pack > 0 {
        text.push_str("#pragma pack(pop)\n");
    }
    text
}

/// Named queries and the bytes the answer should have.
type Facts = Vec<(String, Vec<u8>)>;

fn number(facts: &mut Facts, queries: &mut String, what: String, value: u64) {
    let name = format!("q{}", facts.len());
    let _ = writeln!(queries, "unsigned int {name} = {what};");
    facts.push((name, (value as u32).to_le_bytes().to_vec()));
}

/// What the front end says: per record, size and alignment, then per named member its offset, or for a
/// bit-field the bytes of the record with all its bits set.
fn ours(text: &str, model: DataModel) -> (Facts, String) {
    let checked = check_texts(vec![("layout.c".into(), text.into())], model)
        .unwrap_or_else(|e| panic!("{e}"));
    let types = &checked.hir.types;
    let mut facts = Facts::new();
    let mut queries = String::from(text);
    for record in types.records.values() {
        let Some(tag) = record.tag.map(|t| checked.interner.text(t).to_owned()) else {
            continue;
        };
        let word = if record.union { "union" } else { "struct" };
        number(
            &mut facts,
            &mut queries,
            format!("sizeof({word} {tag})"),
            record.size,
        );
        number(
            &mut facts,
            &mut queries,
            format!("_Alignof({word} {tag})"),
            record.align,
        );
        for field in &record.fields {
            let Some(name) = field.name.map(|n| checked.interner.text(n).to_owned()) else {
                continue;
            };
            match field.width {
                None => {
                    let what = format!("__builtin_offsetof({word} {tag}, {name})");
                    number(&mut facts, &mut queries, what, field.offset());
                }
                Some(width) => {
                    let query = format!("q{}", facts.len());
                    let _ = writeln!(queries, "{word} {tag} {query} = {{ .{name} = -1 }};");
                    let mut bytes = vec![0u8; record.size as usize];
                    for bit in field.bit_offset..field.bit_offset + u64::from(width) {
                        bytes[(bit / 8) as usize] |= 1 << (bit % 8);
                    }
                    facts.push((query, bytes));
                }
            }
        }
    }
    (facts, queries)
}

/// The initial bytes of each global in gcc's assembly; `None` without a compiler.
fn assembly(text: &str, model: DataModel) -> Option<std::collections::BTreeMap<String, Vec<u8>>> {
    let mut child = Command::new("cc")
        .args([
            "-w",
            "-S",
            "-o",
            "-",
            "-x",
            "c",
            "-std=gnu11",
            "-fno-zero-initialized-in-bss",
            "-fdata-sections",
        ])
        .args([
            if model == DataModel::Ilp32 {
                "-m32"
            } else {
                "-m64"
            },
            "-",
        ])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    assert!(output.status.success(), "cc rejects the generated structs");
    let mut result = std::collections::BTreeMap::new();
    let mut name = String::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some(label) = line.strip_suffix(':') {
            name = label.to_owned();
            result.insert(name.clone(), Vec::new());
            continue;
        }
        let mut words = line.trim().splitn(2, char::is_whitespace);
        let (directive, operand) = (
            words.next().unwrap_or(""),
            words.next().unwrap_or("").trim(),
        );
        let width = match directive {
            ".byte" => 1,
            ".value" | ".short" => 2,
            ".long" => 4,
            ".quad" => 8,
            ".zero" => {
                let count = operand.parse().unwrap_or(0);
                result
                    .entry(name.clone())
                    .or_default()
                    .extend(std::iter::repeat_n(0, count));
                continue;
            }
            ".string" | ".ascii" => panic!("unexpected {line}"),
            _ => continue,
        };
        let value = operand.parse::<i128>().expect("data is numbers");
        result
            .entry(name.clone())
            .or_default()
            .extend(&value.to_le_bytes()[..width]);
    }
    Some(result)
}

fn compare(model: DataModel) {
    let mut r = Rng::new(42);
    let mut text = String::from(HAND_WRITTEN);
    for i in 0..150 {
        text.push_str(&random_struct(&mut r, i));
    }
    let (facts, queries) = ours(&text, model);
    assert!(facts.len() > 500 + HAND_COUNT);
    let Some(theirs) = assembly(&queries, model) else {
        eprintln!("SKIPPED layout for {model:?}: there is no C compiler 'cc' here");
        return;
    };
    for (name, bytes) in facts {
        let query = queries
            .lines()
            .find(|l| l.contains(&format!(" {name} =")))
            .unwrap_or("");
        let tag = query
            .split(['(', ' '])
            .find(|w| w.starts_with('R') || w.starts_with('H'))
            .unwrap_or("")
            .trim_end_matches([')', ',']);
        let definition = queries
            .lines()
            .find(|l| l.contains(&format!(" {tag} {{")))
            .unwrap_or("");
        assert_eq!(
            theirs.get(&name),
            Some(&bytes),
            "{model:?}\n{definition}\n{query}"
        );
    }
}

#[test]
fn lp64_like_cc() {
    compare(DataModel::Lp64);
}

#[test]
fn ilp32_like_cc() {
    compare(DataModel::Ilp32);
}
