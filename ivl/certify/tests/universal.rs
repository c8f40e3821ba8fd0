//! Certificates about all cells: right ones, and hundreds of damaged ones, which are accepted only where enumeration of
//! all states says that they are proofs still.

use crate::common::{mutate, valid};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_ivl::{Loc, Op, Program, Term, Type, Var, text};
use trellis_ivl_certify::region::Cut;
use trellis_ivl_certify::{Ghosts, Rejection, SafetyCertificate, check_safe, obligations};
use trellis_ivl_testing::Rng;
use trellis_solver_api::SessionConfig;
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;

/// A program with a proof of it.
struct Proved {
    name: &'static str,
    program: &'static str,
    ghosts: &'static [(&'static str, u32)],
    invariants: &'static [(u32, &'static str)],
}

const PROVED: &[Proved] = &[
    Proved {
        name: "fill",
        program: "ivl 1;
            var a: [bv2]bv1; var i: bv3;
            proc main() {
              loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\";
              l0 -> l1 { i := 0bv3 };
              l1 -> l1 { assume i <u 4bv3; a := a[i[1:0] := 1bv1]; i := i + 1bv3 };
              l1 -> l2 { assume 4bv3 <=u i; i := 0bv3 };
              l2 -> l3 { assume i <u 4bv3; assume a[i[1:0]] != 1bv1 };
              l2 -> l2 { assume i <u 4bv3; assume a[i[1:0]] == 1bv1; i := i + 1bv3 };
            }
            main main;",
        ghosts: &[("k", 2)],
        invariants: &[
            (1, "!(zext(k, 3) <u i) || a[k] == 1bv1"),
            (2, "a[k] == 1bv1"),
        ],
    },
    Proved {
        name: "copy",
        program: "ivl 1;
            var a: [bv2]bv1; var b: [bv2]bv1; var i: bv3;
            proc main() {
              loc l0 entry; loc l1; loc l2 error \"assertion\";
              l0 -> l1 { i := 0bv3 };
              l1 -> l1 { assume i <u 4bv3; b := b[i[1:0] := a[i[1:0]]]; i := i + 1bv3 };
              l1 -> l2 { assume 4bv3 <=u i; assume a[2bv2] != b[2bv2] };
            }
            main main;",
        ghosts: &[("k", 2)],
        invariants: &[(1, "i <=u 4bv3 && (i <=u zext(k, 3) || a[k] == b[k])")],
    },
    Proved {
        name: "maximum",
        program: "ivl 1;
            var a: [bv2]bv1; var m: bv1; var i: bv3; var j: bv2;
            proc main() {
              loc l0 entry; loc l1; loc l2 error \"assertion\";
              l0 -> l1 { i := 0bv3; m := 0bv1 };
              l1 -> l1 {
                assume i <u 4bv3;
                { assume m <u a[i[1:0]]; m := a[i[1:0]] } [] { assume a[i[1:0]] <=u m };
                i := i + 1bv3;
              };
              l1 -> l2 { assume 4bv3 <=u i; assume m <u a[j] };
            }
            main main;",
        ghosts: &[("k", 2)],
        invariants: &[(1, "!(zext(k, 3) <u i) || a[k] <=u m")],
    },
    Proved {
        name: "sorted",
        program: "ivl 1;
            var a: [bv2]bv1; var i: bv3; var p: bv2; var q: bv2;
            proc main() {
              loc l0 entry; loc l1; loc l2 error \"assertion\";
              l0 -> l1 { i := 0bv3 };
              l1 -> l1 {
                assume i <u 4bv3;
                assume i == 0bv3 || a[i[1:0] - 1bv2] <=u a[i[1:0]];
                i := i + 1bv3;
              };
              l1 -> l2 { assume i == 4bv3; assume p <u q; assume a[q] <u a[p] };
            }
            main main;",
        ghosts: &[("k", 2), ("l", 2)],
        invariants: &[(
            1,
            "i <=u 4bv3 && (l <u k || i <=u zext(l, 3) || a[k] <=u a[l])",
        )],
    },
    // The fact is needed at a part of the index that is read.
    Proved {
        name: "neighbour",
        program: "ivl 1;
            var a: [bv2]bv1; var x: bv2;
            proc main() {
              loc l0 entry; loc l1; loc l2 error \"assertion\";
              l0 -> l1 { a := a[x + 1bv2 := 1bv1] };
              l1 -> l1 { skip };
              l1 -> l2 { assume a[x + 1bv2] != 1bv1 };
            }
            main main;",
        ghosts: &[("k", 2)],
        invariants: &[(1, "k != x || a[k + 1bv2] == 1bv1")],
    },
    // Nodes 1 to 3 in the order of allocation; every link leads to an older one.
    Proved {
        name: "list",
        program: "ivl 1;
            var next: [bv2]bv2; var n: bv2; var l: bv2;
            proc main() {
              loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\";
              l0 -> l1 { n := 0bv2; l := 0bv2 };
              l1 -> l1 {
                assume n <u 3bv2;
                n := n + 1bv2;
                next := next[n := l];
                l := n;
              };
              l1 -> l2 { skip };
              l2 -> l3 { assume n <u l };
              l2 -> l2 { assume l != 0bv2; l := next[l] };
            }
            main main;",
        ghosts: &[("k", 2)],
        invariants: &[
            (1, "l <=u n && (k == 0bv2 || n <u k || next[k] <u k)"),
            (2, "l <=u n && (k == 0bv2 || n <u k || next[k] <u k)"),
        ],
    },
];

struct Prepared {
    original: Program,
    own: Program,
    ghosts: Vec<Var>,
    invariants: BTreeMap<Loc, Term>,
}

fn prepare(p: &Proved) -> Prepared {
    let original = text::parse(p.program).unwrap_or_else(|e| panic!("{}: {e}", p.name));
    let mut own = original.clone();
    let ghosts = p
        .ghosts
        .iter()
        .map(|&(name, width)| own.add_global(name, Type::Bv(width), trellis_ivl::Span::NONE))
        .collect();
    let parse = |&(l, t): &(u32, &str)| {
        let t = text::parse_term(&mut own, t).unwrap_or_else(|e| panic!("{}: {e}", p.name));
        (Loc::from_u32(l), t)
    };
    let invariants = p.invariants.iter().map(parse).collect();
    Prepared {
        original,
        own,
        ghosts,
        invariants,
    }
}

fn certificate(invariants: &BTreeMap<Loc, Term>, ghosts: &[Var]) -> SafetyCertificate {
    SafetyCertificate {
        ghosts: Ghosts {
            vars: ghosts.to_vec(),
            hints: Vec::new(),
        },
        ..SafetyCertificate::inductive(invariants.clone())
    }
}

fn check(original: &Program, own: &Program, c: &SafetyCertificate) -> Result<(), Rejection> {
    let backend = Bitblast::new(Batsat);
    let mut session = backend
        .session(&SessionConfig::default())
        .expect("embedded");
    check_safe(original, &own.pool, c, session.as_mut())
}

/// The invariants with each ghost replaced by every value it has, conjoined.
fn expanded(p: &mut Prepared, invariants: &BTreeMap<Loc, Term>) -> BTreeMap<Loc, Term> {
    let mut result = invariants.clone();
    for &g in &p.ghosts.clone() {
        let Type::Bv(width) = p.own.pool.var_ty(g) else {
            panic!("ghosts are words");
        };
        for t in result.values_mut() {
            let mut parts = Vec::new();
            for value in 0..1u64 << width {
                let value = p.own.pool.num(width, value);
                let map = FxHashMap::from_iter([(g, value)]);
                parts.push(p.own.pool.substitute(*t, &map));
            }
            *t = p.own.pool.and_all(parts);
        }
    }
    result
}

#[test]
fn right_certificates_are_accepted() {
    for proved in PROVED {
        let mut p = prepare(proved);
        let c = certificate(&p.invariants, &p.ghosts);
        check(&p.original, &p.own, &c).unwrap_or_else(|e| panic!("{}: {e}", proved.name));
        // Obligations have no quantifier and no ghost that a state could depend on.
        let all = obligations(&p.original, &p.own.pool, &c).expect("well formed");
        assert!(!all.list.is_empty());
        let invariants = p.invariants.clone();
        let plain = expanded(&mut p, &invariants);
        assert!(valid(&p.original, &p.own, &plain), "{}", proved.name);
        // The same words without ghosts are about variables that nobody has.
        let c = certificate(&p.invariants, &[]);
        let refused = check(&p.original, &p.own, &c).expect_err("no ghosts");
        assert!(matches!(refused, Rejection::Malformed(_)), "{refused}");
    }
}

/// The damage that proofs about cells are prone to: a bound off by one, strict for non-strict, another array or
/// index, a guard that is missing.
fn damage(rng: &mut Rng, p: &mut Program, t: Term) -> Term {
    let order = p.pool.post_order([t]);
    let victim = *rng.pick(&order);
    let mut map: FxHashMap<Term, Term> = FxHashMap::default();
    for u in order {
        let args: Vec<Term> = p.pool.args(u).map(|a| map[&a]).collect();
        let mut new = match args.is_empty() {
            true => u,
            false => p.pool.rebuild(u, &args),
        };
        if u == victim {
            let args: Vec<Term> = p.pool.args(new).collect();
            new = match (p.pool.op(new), p.pool.ty(new)) {
                (Op::BvUlt, _) => p.pool.make(Op::BvUle, &args),
                (Op::BvUle, _) => p.pool.make(Op::BvUlt, &args),
                (Op::Or | Op::And, _) => args[rng.below(args.len())],
                (Op::BvConst, Type::Bv(w)) => {
                    let one = p.pool.num(w, 1);
                    match rng.chance(50) {
                        true => p.pool.bvadd(new, one),
                        false => p.pool.bvsub(new, one),
                    }
                }
                (Op::Var, ty) => {
                    let vars = p.pool.vars().keys();
                    let same: Vec<Var> = vars.filter(|&v| p.pool.var_ty(v) == ty).collect();
                    p.pool.var(*rng.pick(&same))
                }
                (Op::Select, _) => {
                    let index = args[1];
                    let Type::Bv(w) = p.pool.ty(index) else {
                        panic!("an index is a word");
                    };
                    let one = p.pool.num(w, 1);
                    let next = p.pool.bvadd(index, one);
                    p.pool.select(args[0], next)
                }
                _ => new,
            };
        }
        map.insert(u, new);
    }
    map[&t]
}

#[test]
fn damaged_certificates_are_accepted_only_if_they_are_proofs_still() {
    let (mut mutants, mut wrong, mut kept) = (0, 0, 0);
    for (seed, proved) in PROVED.iter().enumerate() {
        let mut p = prepare(proved);
        let heads: Vec<Loc> = p.invariants.keys().copied().collect();
        assert!(heads.iter().all(|h| Cut::heads(&p.original).contains(h)));
        let mut rng = Rng::new(seed as u64);
        let mut done = 0;
        while done < 110 {
            let at = *rng.pick(&heads);
            let before = p.invariants[&at];
            let after = match rng.chance(70) {
                true => damage(&mut rng, &mut p.own, before),
                false => mutate(&mut rng, &mut p.own, before),
            };
            if after == before {
                continue;
            }
            done += 1;
            let mut mutant = p.invariants.clone();
            mutant.insert(at, after);
            let plain = expanded(&mut p, &mutant);
            let is_proof = valid(&p.original, &p.own, &plain);
            let accepted = check(&p.original, &p.own, &certificate(&mutant, &p.ghosts)).is_ok();
            assert!(
                is_proof || !accepted,
                "{}: mutant {done} is accepted",
                proved.name
            );
            mutants += 1;
            wrong += usize::from(!is_proof);
            kept += usize::from(accepted);
        }
    }
    assert!(mutants >= 500 && wrong >= 250, "{wrong} of {mutants}");
    // Instances are worth their name: some mutants are weaker and proofs still.
    assert!(kept >= 20, "only {kept} of {mutants} are proofs");
}

/// Hints can only help, and those that help nobody change nothing.
#[test]
fn hints_are_values_to_try() {
    let mut p = prepare(&PROVED[0]);
    let mut vars = p.own.pool.vars().iter();
    let (i, _) = vars.find(|(_, data)| data.name == "i").expect("there");
    let i = p.own.pool.var(i);
    let low = p.own.pool.extract(1, 0, i);
    let mut c = certificate(&p.invariants, &p.ghosts);
    c.ghosts.hints = vec![low, i];
    check(&p.original, &p.own, &c).expect("a proof");
    let false_one = p.own.pool.fls();
    c.invariants.insert(Loc::from_u32(2), false_one);
    assert!(check(&p.original, &p.own, &c).is_err());
}

#[test]
fn ghosts_are_limited() {
    let mut p = prepare(&PROVED[0]);
    let mut ghosts = p.ghosts.clone();
    ghosts.extend((1..4).map(|_| p.own.pool.fresh("g", Type::Bv(2))));
    let c = certificate(&p.invariants, &ghosts);
    check(&p.original, &p.own, &c).expect("those that nobody needs do not matter");
    ghosts.push(p.own.pool.fresh("g", Type::Bv(2)));
    let c = certificate(&p.invariants, &ghosts);
    let refused = check(&p.original, &p.own, &c).expect_err("too many");
    let too_many = "5 ghosts, more than 4";
    assert!(
        matches!(&refused, Rejection::Malformed(why) if why == too_many),
        "{refused}"
    );
}
