use super::*;

fn write(dir: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
}

/// Each task as one line.
fn show(tasks: &[Task]) -> Vec<String> {
    tasks
        .iter()
        .map(|t| {
            let expected = t.expected.as_ref().map(ToString::to_string);
            format!(
                "{} | {} | {} | {} | {}",
                t.name,
                t.property,
                expected.unwrap_or_default(),
                t.model.name(),
                t.category
            )
        })
        .collect()
}

const TASK: &str = "format_version: '2.0'
input_files: 'a.i'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: true
  - property_file: ../properties/valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-deref
  - property_file: ../properties/termination.prp
options: {language: C, data_model: LP64}
";

#[test]
fn every_kind_of_set() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    write(
        dir,
        &[
            ("sv/loops/a.yml", TASK),
            ("sv/loops/a.i", ""),
            ("sv/loops/b.c", "// verdict: false\n"),
            (
                "corpus/one.c",
                "// a loop\n// verdict(valid-deref): false at 6:10\n// verdict(unreach-call): true\n\
                 // verdict(odd): perhaps\nint main(void) { return 0; }\n",
            ),
            ("corpus/two.ivl", "// verdict: true\n"),
            ("sv/Loops.set", "# a comment\nloops/*.yml\nnowhere/*.yml\n"),
            (
                "hw/index.csv",
                "path,latches,verdict,class\nx.aig,3,unsafe,easy\n\"a,b.aig\",4,unknown,hard\n",
            ),
            (
                "c/index.csv",
                "path,category,property,expected,subproperty,data_model\n<script>.c,Loops,no-overflow,false,,ILP32\n",
            ),
            ("list.txt", "sv/loops/b.c true\n\n# nothing\nm.btor2\n"),
            ("m.btor2", ""),
        ],
    );
    let show = |name: &str| show(&read(&dir.join(name)).expect("a set"));
    let definition = [
        "loops/a.yml | unreach-call | true | LP64 | ",
        "loops/a.yml | valid-memsafety | false(valid-deref) | LP64 | ",
        "loops/a.yml | termination |  | LP64 | ",
    ];
    let set: Vec<String> = definition.iter().map(|l| format!("{l}Loops")).collect();
    assert_eq!(show("sv/Loops.set"), set);
    assert_eq!(
        show("sv"),
        [
            "loops/a.yml | termination |  | LP64 | loops",
            "loops/a.yml | unreach-call | true | LP64 | loops",
            "loops/a.yml | valid-memsafety | false(valid-deref) | LP64 | loops",
            "loops/b.c | unreach-call | false | ILP32 | loops",
        ]
    );
    assert_eq!(
        show("corpus"),
        [
            "one.c | unreach-call | true | ILP32 | ",
            "one.c | valid-deref | false(valid-deref) | ILP32 | ",
            "two.ivl |  | true | ILP32 | ",
        ]
    );
    assert_eq!(
        show("hw"),
        [
            "x.aig |  | false | ILP32 | easy",
            "a,b.aig |  |  | ILP32 | hard"
        ]
    );
    assert_eq!(
        show("c/index.csv"),
        ["<script>.c | no-overflow | false(no-overflow) | ILP32 | Loops"]
    );
    assert_eq!(
        show("list.txt"),
        [
            "sv/loops/b.c | unreach-call | true | ILP32 | sv",
            "m.btor2 |  |  | ILP32 | "
        ]
    );
}

#[test]
fn malformed_sets_are_told() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    write(
        dir,
        &[
            ("a.csv", "name,verdict\nx,true\n"),
            ("b.csv", "path,expected\nx.c,true\ny.c,perhaps\n"),
            ("c.yml", "input_files: [a.c\n"),
            ("empty/readme", ""),
            ("d.csv", "path,data_model\nx.c,LP32\n"),
        ],
    );
    let why = |name: &str| read(&dir.join(name)).expect_err("malformed").to_string();
    assert!(why("a.csv").contains("no column 'path'"));
    assert!(why("b.csv").contains("b.csv:3: no verdict: 'perhaps'"));
    assert!(why("c.yml").contains("c.yml"));
    assert!(why("empty").contains("no tasks here"));
    assert!(why("d.csv").contains("d.csv:2: no data model: 'LP32'"));
    assert!(why("nowhere").contains("nowhere"));
}

#[test]
fn filters_and_samples() {
    let task = |n: usize| Task {
        name: format!("t{n}"),
        files: vec![],
        property: if n.is_multiple_of(2) {
            "even".into()
        } else {
            "odd".into()
        },
        property_file: None,
        expected: None,
        model: DataModel::default(),
        category: format!("c{}", n % 3),
    };
    let all: Vec<Task> = (0..30).chain(0..3).map(task).collect();
    let names = |f: Filter| {
        filter(all.clone(), &f)
            .iter()
            .map(|t| t.name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(Filter::default()).len(), 30);
    let some = Filter {
        sample: Some(3),
        ..Filter::default()
    };
    assert_eq!(names(some), ["t9", "t19", "t29"]);
    let some = Filter {
        properties: vec!["even".into()],
        categories: vec!["c0".into()],
        pattern: regex::Regex::new("^t1").ok(),
        ..Filter::default()
    };
    assert_eq!(names(some), ["t12", "t18"]);
}
