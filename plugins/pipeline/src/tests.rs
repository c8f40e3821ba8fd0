//! Pipelines as text in, results or messages out.

use crate::{Change, Pipeline, Run, Sources};
use std::time::Duration;
use trellis_ivl::option::{OptionKind, OptionSpec, Text};

struct Shipped;

const BASE: &str = r#"
description = "the base"
passes = "inline"
[engines.bmc]
options = { depth = 10 }
[limits]
wall = "1min"
"#;

const RACE: &str = r#"
extends = "base"
run = { race = ["bmc", "kiki"] }
engines.kiki = {}
"#;

const CLASSES: &str = r#"
[[class]]
when = ["loops <= 0"]
turns = [{ engine = "bmc" }]

[[class]]
when = ["loops >= 3", "arrays <= 0"]
turns = [{ engine = "kiki" }, { engine = "bmc", after = "1.5s" }, { engine = "nobody" }]

[[class]]
"#;

impl Sources for Shipped {
    fn text(&self, name: &str, _: Option<&str>) -> Option<(String, String)> {
        match name {
            "classes" => Some(("classes".into(), CLASSES.into())),
            "endless" => Some(("endless".into(), "[[class]]\nwhen = [\"lops >= 1\"]".into())),
            "twice" => Some((
                "twice".into(),
                "[[class]]\nturns = [{ engine = \"bmc\" },\n{ engine = \"bmc\" }]".into(),
            )),
            "base" => Some(("base".into(), BASE.into())),
            "race" => Some(("race".into(), RACE.into())),
            "loop" => Some(("loop".into(), "extends = \"loop\"".into())),
            "none" => None,
            text => Some(("p.toml".into(), text.into())),
        }
    }
    fn names(&self) -> Vec<String> {
        vec!["base".into(), "nine".into()]
    }
}

fn load(text: &str) -> Result<Pipeline, String> {
    Pipeline::load(&Shipped, text, &[], None).map_err(|e| e.to_string())
}

fn message(text: &str) -> String {
    load(text).expect_err("this pipeline is wrong")
}

#[test]
fn whole_pipelines() {
    let p = load(
        r#"
description = "all there is"
passes = "inline, (propagate, dce)*"
run.sequence = [{ share = 1, engine = "bmc" }, { share = 3, race = ["kiki", "bmc"] }, "kiki"]
[frontend.c]
model = "LP64"
check = "unreach-call,no-overflow"
[engines.bmc]
solver = "bitblast"
solver-options = { rewrite = 2 }
options = { depth = 50, backward = true }
lemmas = false
[engines.kiki]
plugin = "k-induction"
path = "libk.so"
[limits]
wall = "15min"
cpu = 300
memory = "4GiB"
[certification]
solver = "z3"
"#,
    )
    .expect("this pipeline is right");
    assert_eq!(p.description, "all there is");
    let engine = |name: &str| Run::Engine(name.into());
    assert_eq!(
        p.run,
        Run::Sequence(vec![
            (1.0, engine("bmc")),
            (3.0, Run::Race(vec![engine("kiki"), engine("bmc")])),
            (1.0, engine("kiki")),
        ])
    );
    assert_eq!(
        p.engines["bmc"].options_json(),
        r#"{"backward":true,"depth":50}"#
    );
    assert_eq!(p.engines["bmc"].solver_options["rewrite"].value, "2");
    assert_eq!(p.engines["kiki"].plugin, "k-induction");
    assert!(p.engines["kiki"].lemmas && !p.engines["bmc"].lemmas);
    assert_eq!(p.limits.wall, Some(Duration::from_secs(900)));
    assert_eq!(p.limits.memory, Some(4 << 30));
    assert_eq!(p.frontend.c.lp64, Some(true));
    let check = p.frontend.c.check.expect("it is there");
    assert_eq!(check.value, "unreach-call,no-overflow");
    assert_eq!(
        message("frontend.c.modl = \"LP64\"\nengines.bmc = {}"),
        "p.toml:1:12: unknown key `frontend.c.modl`, did you mean `frontend.c.model`?"
    );
    assert_eq!(
        message("frontend.c.model = \"LP32\"\nengines.bmc = {}"),
        "p.toml:1:12: `frontend.c.model` must be ILP32 or LP64"
    );
    assert_eq!(
        message("certification = { mode = \"prove\" }\nengines.bmc = {}"),
        "p.toml:1:19: `certification.mode` must be solver or proof"
    );
    assert_eq!(
        message("certification = { mode = \"proof\", solver = \"z3\" }\nengines.bmc = {}"),
        "p.toml:1:35: `certification.solver` has no effect: with `mode = \"proof\"` it is the bit-blaster on CaDiCaL"
    );
}

#[test]
fn inheritance() {
    let p = load("extends = \"base\"\n[engines.bmc]\nsolver = \"z3\"").expect("it adds only");
    assert_eq!(p.engines["bmc"].options_json(), r#"{"depth":10}"#);
    assert_eq!(
        p.engines["bmc"].solver.as_ref().map(|s| s.value.as_str()),
        Some("z3")
    );
    assert_eq!(p.description, "");
    assert_eq!(
        message("extends = \"base\"\n[limits]\nwall = 5"),
        "p.toml:3:1: `limits.wall` is already set by the extended pipeline, at base:7:1: `override = [\"limits.wall\"]` says that it is changed"
    );
    assert_eq!(
        message("extends = \"loop\""),
        "loop:1:1: `loop` extends itself"
    );
    assert_eq!(
        message("extends = \"none\""),
        "there is no pipeline `none`, did you mean `nine`?"
    );
}

#[test]
fn overriding() {
    let p = load(
        "extends = \"race\"\noverride = [\"limits.wall\", \"engines.bmc.options\"]\nlimits.wall = 5\n\
         engines.bmc = { solver = \"z3\", options = { bound = 3 } }",
    );
    let p = p.expect("it says what it changes");
    assert_eq!(p.limits.wall, Some(Duration::from_secs(5)));
    // The whole table was named, so nothing of the inherited one is left.
    assert_eq!(p.engines["bmc"].options_json(), r#"{"bound":3}"#);
    let p =
        load("extends = \"race\"\noverride = [\"run\"]\nrun = { sequence = [\"kiki\", \"bmc\"] }");
    assert!(matches!(p.expect("another run").run, Run::Sequence(_)));
    let cases = [
        (
            "override = [\"limits.cpu\"]\nlimits.cpu = 5",
            "p.toml:2:13: `override` has no effect: nothing that is extended sets `limits.cpu`",
        ),
        (
            "override = [\"limits.wall\"]",
            "p.toml:2:13: `override` has no effect: `limits.wall` is not set in this file",
        ),
        (
            "override = [\"passes\"]\npasses = \"inline\"\nlimits.wall = 5",
            "p.toml:4:8: `limits.wall` is already set by the extended pipeline, at base:7:1: `override = [\"limits.wall\"]` says that it is changed",
        ),
        (
            "override = \"passes\"",
            "p.toml:2:1: `override` has a text, not a list of keys",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(message(&format!("extends = \"race\"\n{text}")), expected);
    }
}

#[test]
fn adding_to_a_race() {
    let p =
        load("extends = \"race\"\nrun.add = [\"mine\"]\n[engines.mine]").expect("a third engine");
    let Run::Race(members) = &p.run else {
        panic!("{:?}", p.run)
    };
    assert_eq!(members.len(), 3);
    assert_eq!(p.engines.len(), 3);
    assert_eq!(
        message("extends = \"base\"\nrun.add = [\"mine\"]\nengines.mine = {}"),
        "p.toml:2:5: `run.add` has no effect: no pipeline that is extended has a race or a sequence"
    );
    assert_eq!(
        message("extends = \"race\"\nrun.add = \"mine\"\nengines.mine = {}"),
        "p.toml:2:5: `run.add` is a text, not a list of engines"
    );
    assert_eq!(
        message("extends = \"race\"\nrun.add = [\"mime\"]\nengines.mine = {}"),
        "p.toml:2:12: `run.race[2]` names `mime`, which is no engine of this pipeline, did you mean `mine`?"
    );
}

#[test]
fn changes_from_the_command_line() {
    let change = |key: &str, value: &str| Change {
        key: key.into(),
        value: value.into(),
    };
    let changes = [
        change("limits.wall", "5"),
        change("engines.bmc.options.depth", "7"),
        change("engines.bmc.solver", "z3"),
    ];
    let p = Pipeline::load(&Shipped, "base", &changes, None).expect("known keys");
    assert_eq!(p.limits.wall, Some(Duration::from_secs(5)));
    assert_eq!(p.engines["bmc"].options_json(), r#"{"depth":7}"#);
    assert_eq!(
        p.engines["bmc"].solver.as_ref().map(|s| s.value.as_str()),
        Some("z3")
    );
    let wrong = Pipeline::load(&Shipped, "base", &[change("limit.wall", "5")], None);
    assert_eq!(
        wrong.expect_err("unknown").to_string(),
        "command line: unknown key `limit`, did you mean `limits`?"
    );
    let only = Pipeline::load(&Shipped, "base", &[], Some("kiki")).expect("an engine by its id");
    assert_eq!(only.run, Run::Engine("kiki".into()));
    assert_eq!(only.engines.len(), 1);
}

#[test]
fn messages() {
    let cases = [
        ("x", "p.toml:1:2: key with no value, expected `=`"),
        (
            "limts = 1",
            "p.toml:1:1: unknown key `limts`, did you mean `limits`?",
        ),
        (
            "[engines.bmc]\n  solvr = \"z3\"",
            "p.toml:2:3: unknown key `engines.bmc.solvr`, did you mean `engines.bmc.solver`?",
        ),
        (
            "[engines.bmc]\n[limits]\nwall = \"5 weeks\"",
            "p.toml:3:1: `limits.wall` is `5 weeks`, not a time, such as 900, \"90s\" or \"15min\"",
        ),
        (
            "[engines.bmc]\nsolver = 3",
            "p.toml:2:1: `engines.bmc.solver` is an integer, not a text",
        ),
        (
            "run = \"bmd\"\n[engines.bmc]",
            "p.toml:1:1: `run` names `bmd`, which is no engine of this pipeline, did you mean `bmc`?",
        ),
        (
            "run = \"bmc\"\n[engines.bmc]\n[engines.kiki]",
            "p.toml:3:10: `engines.kiki` has no effect: `run` does not name it",
        ),
        (
            "[engines.bmc]\n[engines.kiki]",
            "p.toml: `run` is missing: several engines may race or take turns",
        ),
        (
            "description = \"d\"",
            "p.toml: `run` is missing: there is no engine to run",
        ),
        (
            "run = { race = [\"bmc\"], sequence = [] }\n[engines.bmc]",
            "p.toml:1:1: `run` needs exactly one of `engine`, `race` and `sequence`",
        ),
        (
            "run = { race = [{ engine = \"bmc\", share = 2 }] }\n[engines.bmc]",
            "p.toml:1:35: `run.race[0].share` has no effect: only members of a sequence have shares",
        ),
        (
            "run = { sequence = [{ engine = \"bmc\", share = 0 }] }\n[engines.bmc]",
            "p.toml:1:39: `run.sequence[0].share` is not greater than zero",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(message(text), expected, "{text}");
    }
}

#[test]
fn engine_options_are_checked() {
    const ORDERS: &[Text] = &[Text::Borrowed("bfs"), Text::Borrowed("dfs")];
    let known = [
        OptionSpec::integer("depth", "none", 1, i64::MAX, "").or_none(),
        OptionSpec::choice("order", "bfs", ORDERS, ""),
        OptionSpec::new("orders", OptionKind::List(ORDERS.into()), "bfs", ""),
    ];
    let check = |options: &str| {
        let text = format!("[engines.bmc]\noptions = {{ {options} }}");
        let p = load(&text).expect("the pipeline itself is right");
        let wrong = p.engines["bmc"].check_options("bmc", &known);
        wrong.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(check("depth = 3, order = \"dfs\""), [""; 0]);
    assert_eq!(check("depth = \"none\", orders = [\"dfs\"]"), [""; 0]);
    assert_eq!(
        check("deph = 3, depth = -3, order = \"df\", orders = [\"bfs\", 7]"),
        [
            "p.toml:2:13: unknown key `engines.bmc.options.deph`, did you mean `depth`?",
            "p.toml:2:23: `engines.bmc.options.depth` must be a whole number from 1 on, or none",
            "p.toml:2:35: `engines.bmc.options.order` is `df`, did you mean `dfs`? It must be bfs or dfs",
            "p.toml:2:49: `engines.bmc.options.orders` must be some of bfs, dfs",
        ]
    );
}

#[test]
fn classes_say_when_engines_begin() {
    let p = load("extends = \"race\"\nselect = \"classes\"").expect("this pipeline is right");
    let (Some(selection), Run::Race(members)) = (&p.select, &p.run) else {
        panic!("a race with classes")
    };
    let order = |features: &[(&'static str, u64)]| {
        let features = features.iter().copied().collect();
        let class = selection.class(&features).expect("the last class has all");
        let turns = class.order(members).into_iter();
        turns
            .map(|(run, after)| match run {
                Run::Engine(name) => format!("{name} {}", after.as_millis()),
                other => panic!("{other:?}"),
            })
            .collect::<Vec<_>>()
    };
    // Whom a class does not name begins behind the others, and nobody waits for those that are not there.
    assert_eq!(order(&[("loops", 0)]), ["bmc 0", "kiki 0"]);
    assert_eq!(order(&[("loops", 3)]), ["kiki 0", "bmc 1500"]);
    assert_eq!(order(&[("loops", 3), ("arrays", 1)]), ["bmc 0", "kiki 0"]);
    assert_eq!(selection.classes[1].why(), "loops >= 3, arrays <= 0");
    // An inherited list of classes is no hindrance for whoever runs something else.
    let only = Pipeline::load(&Shipped, "race", &[], Some("bmc")).expect("one engine");
    assert_eq!(only.select, None);
}

#[test]
fn classes_are_read_strictly() {
    let select = |name: &str| message(&format!("extends = \"race\"\nselect = \"{name}\""));
    assert_eq!(
        select("endless"),
        "endless:2:9: `class[0].when` names `lops`, which is no feature, did you mean `loops`?"
    );
    assert_eq!(
        select("twice"),
        "twice:3:3: `class[0].turns` has `bmc` twice"
    );
    assert_eq!(
        select("none"),
        "p.toml:2:1: `select` names `none`, which cannot be read"
    );
    assert_eq!(
        message("run = \"bmc\"\nselect = \"classes\"\nengines.bmc = {}"),
        "p.toml:2:1: `select` has no effect: `run` is no race"
    );
}
