//! Complete unwindings: one certificate per way to be wrong and its right neighbour, and all of random programs
//! against explicit enumeration.

use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::{Action, Edge, FlattenOptions, Loc, LocKind, Program, Span, Type, Value, text};
use trellis_ivl_certify::region::{Cut, open_edges};
use trellis_ivl_certify::{Rejection, Unwinding, check_unwinding, unwinding_obligations};
use trellis_ivl_passes::{Property, parse_list, registry};
use trellis_ivl_testing::explore::{Enumerator, mentioned};
use trellis_ivl_testing::generate::program;
use trellis_ivl_testing::{Rng, Shape, explore, structured};
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::{Answer, SessionConfig};
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;

const LIMIT: usize = 2_000;

/// Enough for most random programs whose executions end.
const DEPTH: u32 = 12;

fn session() -> Box<dyn SmtSession> {
    let backend = Bitblast::new(Batsat);
    backend
        .session(&SessionConfig::default())
        .expect("embedded")
}

fn of_heads(program: &Program, visits: u32) -> Unwinding {
    let mut flat = program.clone();
    if !flat.is_flat() {
        trellis_ivl::flatten(&mut flat, &FlattenOptions::default());
    }
    Unwinding {
        heads: Cut::heads(&flat),
        lemmas: BTreeMap::new(),
        visits,
        expansion: FlattenOptions::default(),
    }
}

/// The answer as one line; the obligation as one formula says the same.
fn check(program: &Program, certificate: &Unwinding) -> String {
    let mut solver = session();
    let (pool, go_on) = (&program.pool, &|| false);
    let answer = check_unwinding(program, pool, certificate, &mut *solver, go_on);
    if let Ok(all) = unwinding_obligations(program, pool, certificate, go_on) {
        let mut fresh = session();
        let holds = all.list.iter().all(|o| {
            let answer = fresh.check(&all.program.pool, &[o.formula]);
            matches!(answer, Ok(Answer::Unsat))
        });
        assert_eq!(holds, answer.is_ok(), "{program}");
    }
    match answer {
        Ok(()) => "accepted".into(),
        Err(e) => e.to_string(),
    }
}

fn verdict(source: &str, visits: u32) -> String {
    let program = text::parse(source).unwrap_or_else(|e| panic!("{e}"));
    check(&program, &of_heads(&program, visits))
}

/// The length of a string, which is 2, and an input in each round.
const STRING: &str = "ivl 1;
    var a: [bv4]bv8; var i: bv4; var x: bv8; var s: bv8;
    proc main() {
      loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\"; loc l4 exit;
      l0 -> l1 { a := a[0bv4 := 7bv8][1bv4 := 7bv8][2bv4 := 0bv8]; i := 0bv4; s := 0bv8 };
      l1 -> l2 { assume a[i] != 0bv8; i := i + 1bv4; havoc x };
      l2 -> l1 { assume x <u 10bv8; s := s + x };
      l1 -> l3 { assume a[i] == 0bv8; assume i != 2bv4 || s >u 18bv8 };
      l1 -> l4 { assume a[i] == 0bv8 };
    }
    main main;";

#[test]
fn a_bound_that_is_one_too_small_is_refused() {
    assert_eq!(verdict(STRING, 3), "accepted");
    assert_eq!(verdict(STRING, 300), "accepted");
    assert_eq!(verdict(STRING, 1_000_000), "accepted");
    for n in 0..3 {
        assert_eq!(
            verdict(STRING, n),
            "not proved: no execution visits l1 after all visits"
        );
    }
    for n in [1_000_001, u32::MAX] {
        assert_eq!(
            verdict(STRING, n),
            format!("malformed certificate: {n} visits are claimed, at most 1000000 are unwound")
        );
    }
}

#[test]
fn calls_are_expanded() {
    let of = |last: u32| {
        format!(
            "ivl 1; var x: bv8; var a: bv8 in next; var r: bv8 in next;
             proc next(a) returns (r) {{ loc n0 entry; loc n1 exit; n0 -> n1 {{ r := a + 1bv8 }}; }}
             proc main() {{ loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\";
             l0 -> l1 {{ x := 0bv8 }}; l1 -> l2 call next(x) -> (x);
             l2 -> l1 {{ assume x <u 3bv8 }}; l2 -> l3 {{ assume x == {last}bv8 }}; }} main main;"
        )
    };
    assert_eq!(verdict(&of(4), 3), "accepted");
    assert!(verdict(&of(3), 3).starts_with("not proved: after "));
}

#[test]
fn an_error_on_the_way_is_found() {
    let early = STRING.replace("assume i != 2bv4 ||", "assume i == 1bv4 ||");
    assert_eq!(verdict(&early, 3), "accepted");
    for wrong in [
        STRING.replace("i != 2bv4 ||", "i == 2bv4 ||"),
        // The sum of two inputs below 10 may be 18.
        STRING.replace("s >u 18bv8", "s >u 17bv8"),
    ] {
        let refused = "not proved: after 3 visits: l3 (error assertion) is not reached";
        assert_eq!(verdict(&wrong, 3), refused);
        assert_eq!(verdict(&wrong, 100), refused);
    }
    let odd = STRING.replace("error \"assertion\"", "incomplete \"odd\"");
    assert_eq!(verdict(&odd, 3), "accepted");
    assert_eq!(
        verdict(&odd.replace("18bv8", "17bv8"), 3),
        "not proved: after 3 visits: l3 (incomplete: odd) is not reached"
    );
}

/// A loop whose rounds an input bounds is left when the session knows that it is over, not after all rounds that are allowed.
#[test]
fn what_the_session_excludes_is_not_unwound() {
    let source = "ivl 1;
        var n: bv8; var i: bv8;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\"; loc l4 exit;
          l0 -> l1 { havoc n; assume n <u 3bv8; i := 0bv8 };
          l1 -> l1 { assume i <u n; i := i + 1bv8 };
          l1 -> l2 { assume i >=u n };
          l2 -> l3 { assume n == 2bv8 };
          l2 -> l4 { };
        }
        main main;";
    for allowed in [3, 4, 100] {
        assert_eq!(
            verdict(source, allowed),
            "not proved: after 4 visits: l3 (error assertion) is not reached"
        );
    }
    assert_eq!(
        verdict(&source.replace("== 2bv8", "== 3bv8"), 3),
        "accepted"
    );
}

/// A loop that never ends behind all errors, and one before them that changes nothing of interest.
const IDLE: &str = "ivl 1;
    var x: bv8; var y: bv8;
    proc main() {
      loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\"; loc l4;
      l0 -> l1 { x := 3bv8 };
      l1 -> l1 { havoc y };
      l1 -> l2 { assume y == 7bv8 };
      l2 -> l3 { assume x != 3bv8 };
      l2 -> l4 { };
      l4 -> l4 { x := x + 1bv8 };
    }
    main main;";

#[test]
fn loops_that_are_not_unwound_do_anything() {
    let program = text::parse(IDLE).unwrap_or_else(|e| panic!("{e}"));
    let with = |heads: &[u32]| Unwinding {
        heads: heads.iter().map(|&l| Loc::from_u32(l)).collect(),
        ..of_heads(&program, 5)
    };
    assert_eq!(check(&program, &with(&[])), "accepted");
    assert_eq!(
        check(&program, &with(&[1])),
        "not proved: no execution visits l1 after all visits"
    );
    let changing = IDLE.replace("havoc y", "havoc y; x := x");
    let program = text::parse(&changing).unwrap_or_else(|e| panic!("{e}"));
    let refused = "not proved: after 0 visits: l3 (error assertion) is not reached";
    assert_eq!(check(&program, &with(&[])), refused);
    let lemma = |t: &str| {
        let mut own = program.clone();
        let t = text::parse_term(&mut own, t).unwrap_or_else(|e| panic!("{e}"));
        let certificate = Unwinding {
            lemmas: BTreeMap::from([(Loc::from_u32(1), t)]),
            ..with(&[])
        };
        check(&own, &certificate)
    };
    assert_eq!(lemma("x == 3bv8"), "accepted");
    assert_eq!(
        lemma("x == 3bv8 && y == 7bv8"),
        "not proved: after 0 visits: the lemma of l1 holds"
    );
    assert_eq!(
        check(&program, &with(&[9])),
        "malformed certificate: the program has no l9"
    );
}

/// A lemma inside a loop that is unwound has to hold in every round, and it is told in which it does not.
#[test]
fn lemmas_hold_after_every_visit() {
    let source = "ivl 1;
        var i: bv8; var y: bv8;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\";
          l0 -> l1 { i := 0bv8 };
          l1 -> l2 { assume i <u 3bv8; i := i + 1bv8 };
          l2 -> l2 { havoc y };
          l2 -> l1 { };
          l1 -> l3 { assume i >u 3bv8 };
        }
        main main;";
    let program = text::parse(source).unwrap_or_else(|e| panic!("{e}"));
    let with_lemma = |t: &str| {
        let mut own = program.clone();
        let t = text::parse_term(&mut own, t).unwrap_or_else(|e| panic!("{e}"));
        let certificate = Unwinding {
            heads: BTreeSet::from([Loc::from_u32(1)]),
            lemmas: BTreeMap::from([(Loc::from_u32(2), t)]),
            ..of_heads(&own, 4)
        };
        check(&own, &certificate)
    };
    assert_eq!(with_lemma("i <=u 3bv8"), "accepted");
    assert_eq!(
        with_lemma("i <=u 2bv8"),
        "not proved: after 3 visits: the lemma of l2 holds"
    );
}

/// Of several claims that are asked together the one that fails is named, and whether it is only that there are more visits.
#[test]
fn what_fails_is_named() {
    let source = "ivl 1;
        var x: bv8;
        proc main() {
          loc l0 entry; loc l1 error \"first\"; loc l2 error \"second\"; loc l3 error \"third\";
          l0 -> l1 { assume x >u 9bv8; assume x <u 5bv8 };
          l0 -> l2 { assume x == 7bv8 };
          l0 -> l3 { assume x != x };
        }
        main main;";
    assert_eq!(
        verdict(source, 0),
        "not proved: after 0 visits: l2 (error second) is not reached"
    );
    let program = text::parse(STRING).unwrap_or_else(|e| panic!("{e}"));
    let answer = |visits| {
        let certificate = of_heads(&program, visits);
        check_unwinding(
            &program,
            &program.pool,
            &certificate,
            &mut *session(),
            &|| false,
        )
    };
    assert!(matches!(answer(2), Err(Rejection::NotOver(_))));
    let wrong = STRING.replace("i != 2bv4 ||", "i == 2bv4 ||");
    let program = text::parse(&wrong).unwrap_or_else(|e| panic!("{e}"));
    let certificate = of_heads(&program, 3);
    let answer = check_unwinding(
        &program,
        &program.pool,
        &certificate,
        &mut *session(),
        &|| false,
    );
    assert!(matches!(answer, Err(Rejection::Refuted(_))));
}

/// Counters in registers and in memory, sorted by nothing: 5,000 visits are executed, not solved.
#[test]
fn long_loops_with_counters_are_executed() {
    let source = "ivl 1;
        var m: [bv64]bv8; var p: bv64; var i: bv32; var j: bv32; var x: bv32;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3; loc l4 error \"assertion\"; loc l5;
          l0 -> l1 { i := 0bv32; havoc x };
          l1 -> l2 { assume i <u 50bv32; j := 0bv32; m := m[p := 0bv8] };
          l2 -> l2 { assume m[p] <u 100bv8; m := m[p + 1bv64 := 9bv8]; m := m[p := m[p] + 1bv8];
                     x := x + 1bv32; j := j + 1bv32 };
          l2 -> l3 { assume m[p] >=u 100bv8 };
          l3 -> l4 { assume j != 100bv32 };
          l3 -> l1 { assume j == 100bv32; i := i + 1bv32 };
          l1 -> l4 { assume i >=u 50bv32; assume i != 50bv32 };
        }
        main main;";
    assert_eq!(verdict(source, 101), "accepted");
    let short = verdict(source, 100);
    assert_eq!(short, "not proved: no execution visits l2 after all visits");
}

/// A loop of 100,000 rounds without input.
const LONG: &str = "ivl 1;
    var i: bv32;
    proc main() {
      loc l0 entry; loc l1; loc l2 error \"assertion\";
      l0 -> l1 { i := 0bv32 };
      l1 -> l1 { assume i <u 100000bv32; i := i + 1bv32 };
      l1 -> l2 { assume i >u 100000bv32 };
    }
    main main;";

/// Whoever has to stop is asked now and then, and heard.
#[test]
fn a_stop_is_heard() {
    let program = text::parse(LONG).unwrap_or_else(|e| panic!("{e}"));
    let certificate = of_heads(&program, 100_001);
    let asked = std::cell::Cell::new(0);
    let answer = |stop_after: u32| {
        asked.set(0);
        let stopped = || {
            asked.set(asked.get() + 1);
            asked.get() > stop_after
        };
        let pool = &program.pool;
        let checked = check_unwinding(&program, pool, &certificate, &mut *session(), &stopped);
        let made = unwinding_obligations(&program, pool, &certificate, &stopped).map(|_| ());
        (checked.map_err(|e| e.to_string()), made.is_ok())
    };
    assert_eq!(answer(u32::MAX), (Ok(()), true));
    // Two edges in each round, a thousand between two questions, twice.
    assert!((300..500).contains(&asked.get()), "{}", asked.get());
    let why = "undecided: unwinding the program: interrupted";
    assert_eq!(answer(0), (Err(why.into()), false));
    assert_eq!(asked.get(), 2);
}

/// How many visits the longest execution makes that can still reach an error; `None` where that is more than
/// [`DEPTH`] or an error is reached.
fn visits(program: &Program) -> Option<u32> {
    let heads = Cut::heads(program);
    let adjacency = open_edges(program);
    let mut relevant: BTreeSet<Loc> = BTreeSet::new();
    let targets = program.locs.keys();
    let mut todo: Vec<Loc> = targets
        .filter(|&l| program.locs[l].kind != LocKind::Plain)
        .collect();
    while let Some(l) = todo.pop() {
        if relevant.insert(l) {
            todo.extend(adjacency.inc(l).iter().map(|&e| program.edges[e].from));
        }
    }
    let vars = mentioned(program);
    let mut e = Enumerator::new(program, &vars, LIMIT);
    let mut front: FxHashSet<(Loc, Box<[Value]>)> = FxHashSet::default();
    let entry = program.entry();
    front.extend(e.initial(&vars)?.into_iter().map(|s| (entry, s)));
    for made in 0..=DEPTH {
        let mut seen = front.clone();
        let mut todo: Vec<_> = std::mem::take(&mut front).into_iter().collect();
        while let Some((loc, state)) = todo.pop() {
            if program.locs[loc].kind != LocKind::Plain {
                return None;
            }
            for &edge in adjacency.out(loc) {
                let to = program.edges[edge].to;
                if !relevant.contains(&to) {
                    continue;
                }
                for end in e.ends(program.edge_cmd(edge)?, &state)? {
                    if heads.contains(&to) {
                        front.insert((to, end));
                    } else if seen.insert((to, end.clone())) {
                        todo.push((to, end));
                    }
                }
            }
        }
        if front.is_empty() {
            return Some(made);
        }
    }
    None
}

/// A random program, mostly one whose visits of loop heads use up what there is of them.
fn some_program(rng: &mut Rng) -> Program {
    let mut p = match rng.chance(60) {
        true => structured(rng),
        false => program(rng, Shape::SAFE),
    };
    if rng.chance(20) {
        return p;
    }
    let left = p.add_global("left", Type::Bv(2), Span::NONE);
    let (now, none, one) = (p.pool.var(left), p.pool.num(2, 0), p.pool.num(2, 1));
    let (some, less) = (p.pool.ne(now, none), p.pool.bvsub(now, one));
    let spend = [p.cmds.assume(some), p.cmds.assign(left, less)];
    let heads = Cut::heads(&p);
    let edges: Vec<Edge> = p.edges.keys().collect();
    for e in edges {
        if heads.contains(&p.edges[e].to)
            && let Some(cmd) = p.edge_cmd(e)
        {
            let cmd = p.cmds.seq(&[cmd, spend[0], spend[1]]);
            p.edges[e].action = Action::Cmd(cmd);
        }
    }
    p
}

/// As many visits as the longest execution makes are enough, none are not, and where an error is reached or a loop does not end no
/// number is accepted.
#[test]
fn the_longest_execution_decides() {
    let (mut ended, mut deep, mut broken) = (0, 0, 0);
    for seed in 0..3_000 {
        let rng = &mut Rng::new(seed);
        let p = some_program(rng);
        let Some(reached) = explore(&p, LIMIT) else {
            continue;
        };
        let is_safe = reached.targets(&p).is_empty();
        let longest = visits(&p);
        let is_accepted = |n| check(&p, &of_heads(&p, n)) == "accepted";
        match longest {
            Some(n) => {
                assert!(is_safe);
                assert!(is_accepted(n), "seed {seed}: {n} visits\n{p}");
                assert!(n == 0 || !is_accepted(0), "seed {seed}: {n} visits\n{p}");
                ended += 1;
                deep += usize::from(n > 1);
            }
            None if rng.chance(20) => {
                let n = rng.below(DEPTH as usize) as u32;
                assert!(!is_accepted(n), "seed {seed}: {n} visits\n{p}");
                broken += usize::from(!is_safe);
            }
            None => {}
        }
    }
    println!("{ended} ended, {deep} of them after loops, {broken} broken");
    assert!(ended >= 300 && deep >= 60 && broken >= 100);
}

/// Whatever is unwound and whatever lemmas are claimed, a program with a reachable error is refused.
#[test]
fn no_choice_of_heads_hides_an_error() {
    let mut broken = 0;
    for seed in 0..2_000 {
        let rng = &mut Rng::new(seed);
        let mut p = some_program(rng);
        let Some(reached) = explore(&p, LIMIT) else {
            continue;
        };
        if reached.targets(&p).is_empty() {
            continue;
        }
        let mut certificate = of_heads(&p, rng.below(20) as u32);
        certificate.heads.retain(|_| rng.chance(50));
        let plain: Vec<Loc> = p.locs.keys().collect();
        certificate
            .heads
            .extend(rng.chance(30).then(|| *rng.pick(&plain)));
        for l in plain {
            if rng.chance(20) {
                let lemma = match rng.chance(30) {
                    true => p.pool.fls(),
                    false => {
                        let vars = mentioned(&p);
                        let ty = Type::Bool;
                        trellis_ivl_testing::generate::term(rng, &mut p, &vars, ty, 2)
                    }
                };
                certificate.lemmas.insert(l, lemma);
            }
        }
        assert_ne!(check(&p, &certificate), "accepted", "seed {seed}\n{p}");
        broken += 1;
    }
    assert!(broken >= 300, "only {broken}");
}

/// An unwinding of the program after the passes is one of the program before them, with at most a few times
/// as many visits.
#[test]
fn unwindings_survive_the_way_back() {
    let lists = [
        registry::DEFAULT.to_string(),
        "inline, slice(loops=drop), (propagate, dce)*, lbe, bisim".into(),
        format!("{}, monolithic", registry::DEFAULT),
    ];
    for list in lists {
        let (mut all, mut deep, mut more, mut lost) = (0, 0, 0, Vec::new());
        for seed in 0..2_000 {
            let rng = &mut Rng::new(seed);
            let before = some_program(rng);
            let mut after = before.clone();
            let passes = parse_list(&list, &Property::of(&before)).expect("a correct list");
            let mut report = passes.run(&mut after).expect("a correct pass");
            let Some(n) = visits(&after) else { continue };
            let heads = Cut::heads(&after);
            let (heads, lemmas) = report.back.unwinding(&mut after, heads);
            let mut solver = session();
            let mut accepts = |visits| {
                let certificate = Unwinding {
                    heads: heads.clone(),
                    lemmas: lemmas.clone(),
                    visits,
                    expansion: FlattenOptions::default(),
                };
                check_unwinding(&before, &after.pool, &certificate, &mut *solver, &|| false).is_ok()
            };
            all += 1;
            deep += usize::from(n > 1);
            match accepts(n) {
                true => {}
                false if accepts(8 * n + 8) => more += 1,
                false => lost.push(seed),
            }
        }
        println!("{list}: {all}, {deep} with loops, {more} with more visits, lost: {lost:?}");
        assert!(all >= 150 && deep >= 25, "{list}: {all}, {deep} with loops");
        assert!(lost.len() * 50 <= all, "{list}: {lost:?} of {all} lost");
    }
}
