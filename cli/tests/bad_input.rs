//! Wrong use and wrong input: a message that says what and where, exit code 2, no panic.

use crate::support::Bench;

/// Files to write, the command line, and what standard error must say.
type Case = (
    &'static [(&'static str, &'static str)],
    &'static str,
    &'static str,
);

const CASES: &[Case] = &[
    (
        &[],
        "check nowhere.ivl",
        "trellis: nowhere.ivl: No such file or directory",
    ),
    (
        &[],
        "check .",
        "trellis: .: no front end for this extension",
    ),
    (
        &[("a.txt", "")],
        "check a.txt",
        "a.txt: no front end for this extension",
    ),
    (
        &[("a.ivl", "")],
        "check a.ivl",
        "trellis: a.ivl: program: P4: there is no procedure",
    ),
    (
        &[("a.ivl", "ivl 1; var x: bv0;")],
        "check a.ivl",
        "a.ivl:1:15: ",
    ),
    (
        &[("a.c", "int main(void) { return x; }")],
        "check a.c",
        "a.c:1:25: ",
    ),
    (&[("a.aag", "aag 1 0")], "check a.aag", "a.aag: "),
    (
        &[("a.btor2", "1 sort bitvec 0\n")],
        "check a.btor2",
        "a.btor2: ",
    ),
    (
        &[],
        "check -p randm safe.ivl",
        "there is no pipeline `randm`, did you mean `random`?",
    ),
    (
        &[],
        "check -e nobody safe.ivl",
        "there is no engine `nobody`",
    ),
    (
        &[],
        "check -e kikki safe.ivl",
        "there is no engine `kikki`, did you mean `kiki`?",
    ),
    (
        &[],
        "check -p kiki --log kikki safe.ivl",
        "--log: the pipeline has no engine `kikki`, did you mean `kiki`?",
    ),
    (&[], "check -t soon safe.ivl", "--timeout soon: not a time"),
    (&[], "check -t 0s safe.ivl", "--timeout 0s: not a time"),
    (
        &[],
        "check -s z4 safe.ivl",
        "command line: solver z4 is not available: there is no such solver, did you mean `z3`?",
    ),
    (
        &[("p.toml", "[engines.bmc]\nsat = \"cadicla\"\n")],
        "check -p p.toml safe.ivl",
        "p.toml:2:1: solver cadicla is not available: there is no such solver, did you mean `cadical`?",
    ),
    (
        &[
            (
                "p.toml",
                "[frontend.c]\ncheck = \"overflow\"\n[engines.bmc]\n",
            ),
            ("a.c", "int main(void) { return 0; }"),
        ],
        "check -p p.toml a.c",
        "p.toml:2:1: `frontend.c.check`: there is no property 'overflow'",
    ),
    (&[], "check -m lots safe.ivl", "--memory lots: not a size"),
    (
        &[],
        "check -o josn=x safe.ivl",
        "--out josn: there is no such kind, did you mean `json`?",
    ),
    (
        &[],
        "check -o json safe.ivl",
        "--out json: KIND=FILE is expected",
    ),
    (
        &[],
        "check -o json=no/such/folder safe.ivl",
        "no/such/folder: No such file or directory",
    ),
    (
        &[],
        "check --set limits.wal=3 safe.ivl",
        "unknown key `limits.wal`, did you mean `limits.wall`?",
    ),
    (
        &[],
        "check --set limits safe.ivl",
        "--set limits: KEY=VALUE is expected",
    ),
    (
        &[],
        "check --set engines.kiki.options.max-k=3 safe.ivl",
        "unknown key `engines.kiki.options.max-k`, did you mean `max_k`?",
    ),
    (
        &[],
        "check --set engines.kiki.options.max_k=many safe.ivl",
        "`engines.kiki.options.max_k` must be a whole number from 1 on, or none",
    ),
    (
        &[("p.toml", "[engines.bmc]\n[engines.kiki]\nrun = 3\n")],
        "check -p p.toml safe.ivl",
        "p.toml:3:1: unknown key `engines.kiki.run`",
    ),
    (
        &[("p.toml", "passes = \"inline, proagate\"\n[engines.bmc]\n")],
        "check -p p.toml safe.ivl",
        "p.toml:1:1: `passes`: there is no pass 'proagate'; did you mean 'propagate'?",
    ),
    (
        &[("p.toml", "passes = \"propagate\"\n[engines.bmc]\n")],
        "check -p p.toml twice.ivl",
        "pass 'propagate' needs a flat program (put 'inline' before it)",
    ),
    (
        &[("p.toml", "extends = \"bmc\"\n[limits]\nwall = 3\n")],
        "pipelines check p.toml",
        "p.toml:3:1: ",
    ),
    (
        &[("p.toml", "[engines.random-walk]\noptions = { wlaks = 3 }\n")],
        "pipelines check p.toml",
        "trellis: p.toml:2:13: unknown key `engines.random-walk.options.wlaks`, did you mean `walks`?",
    ),
    (
        &[(
            "p.toml",
            "passes = \"inline(recursion=many)\"\nrun.race = [\"bmc\", \"kiki\"]\n[engines.bmc]\nsolver = \"bitblst\"\n\
             options = { bound = -3 }\n[engines.kiki]\noptions.domains = \"zone\"\nsolver-options = { lift = 9, lfit = 1 }\n",
        )],
        "pipelines check p.toml",
        "\
trellis: p.toml:1:1: `passes`: pass 'inline': option recursion cannot be 'many', it must be a whole number from 0 on
p.toml:5:13: `engines.bmc.options.bound` must be a whole number from 1 on, or none
p.toml:4:1: solver bitblst is not available: there is no such solver",
    ),
    (
        &[(
            "p.toml",
            "[engines.kiki]\noptions.domains = \"zone\"\nsolver-options = { lift = 9, lfit = 1 }\n",
        )],
        "pipelines check p.toml",
        "\
trellis: p.toml:2:9: `engines.kiki.options.domains` is `zone`, did you mean `zones`? It must be some of havoc, equalities, \
affine, mod, guards, intervals, floats, zones, octagons, counters, addresses
p.toml:3:30: unknown key `engines.kiki.solver-options.lfit`, did you mean `lift`?
p.toml:3:20: `engines.kiki.solver-options.lift` must be a whole number from 0 to 2",
    ),
    (
        &[],
        "plugin new --sdk nowhere mine",
        "nowhere: the SDK is not there",
    ),
    (
        &[],
        "pipelines show nothing",
        "there is no pipeline `nothing`",
    ),
    (
        &[],
        "plugin new My_Engine",
        "`My_Engine` cannot be the name of a plugin",
    ),
    (&[], "plugin new --lang c --dir . x", ". exists already"),
    (
        &[("libtrellis_engine_x.so", "no library")],
        "plugins check ./libtrellis_engine_x.so",
        "libtrellis_engine_x.so: ",
    ),
    (&[], "plugins info nobody", "there is no engine `nobody`"),
];

const TWICE: &str = "ivl 1;
proc f() { loc f0 entry exit; }
proc main() { loc l0 entry; loc l1; l0 -> l1 call f(); }
main main;
";

#[test]
fn is_told_with_its_place() {
    let mut wrong = Vec::new();
    for (files, line, said) in CASES {
        let bench = Bench::new();
        bench.write("twice.ivl", TWICE);
        for (name, text) in *files {
            bench.write(name, text);
        }
        let args: Vec<&str> = line.split(' ').collect();
        let output = bench.trellis(&args);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.code() != Some(2) || !stderr.contains(said) {
            wrong.push(format!("{line}: {:?}\n{stderr}\n", output.status.code()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
