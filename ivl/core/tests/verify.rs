//! The verifier: one broken program per rule, each with the exact message.

use trellis_ivl::cranelift_entity::EntityRef;
use trellis_ivl::text::{MAX_NESTING, parse};
use trellis_ivl::verify::verify;
use trellis_ivl::{
    Action, Cmd, Edge, File, Input, Loc, LocKind, Op, Proc, Program, Region, Scope, Span, Term,
    Type, Var,
};

const BASE: &str = r#"
file f0 "a.c";
var x: bv8;
var y: bv8 in main;
var b: bool;
var m: [bv8]bv16;
var a: bv8 in f;
var r: bv8 in f;
var t: bv8 auxiliary;
input i0 "in": bv8;
region r0 "buf" memory m base x;
proc main() {
  loc l0 entry; loc l1 exit; loc l2 error "bad"; loc l3 incomplete "limit";
  e0: l0 -> l0 { x, y := y, x; havoc y from i0; assume b };
  e1: l0 -> l1 call f(x) -> (y);
  e2: l0 -> l2 { skip };
  e3: l0 -> l3 { skip };
}
proc f(a) returns (r) {
  loc l4 entry; loc l5 exit;
  e4: l4 -> l5 { r := a };
}
"#;

fn check(expected: &str, change: impl FnOnce(&mut Program)) {
    let mut p = parse(BASE).unwrap_or_else(|e| panic!("{e}"));
    change(&mut p);
    let found = match verify(&p) {
        Ok(()) => String::new(),
        Err(e) => e.to_string(),
    };
    assert_eq!(found, expected);
}

fn v(n: usize) -> Var {
    Var::new(n)
}

/// Replaces the command of `e0`.
fn set(p: &mut Program, cmd: Cmd) {
    p.edges[Edge::new(0)].action = Action::Cmd(cmd);
}

fn assign(p: &mut Program, to: Var, from: Var) {
    let t = p.pool.var(from);
    let cmd = p.cmds.assign(to, t);
    set(p, cmd);
}

fn call(p: &mut Program) -> &mut trellis_ivl::Call {
    match &mut p.edges[Edge::new(1)].action {
        Action::Call(call) => call,
        Action::Cmd(_) => unreachable!("e1 is the call"),
    }
}

#[test]
fn the_base_is_well_formed() {
    check("", |_| {});
}

#[test]
fn n1_numbers() {
    check("e0: N1: there is no location l9", |p| {
        p.edges[Edge::new(0)].to = Loc::new(9);
    });
    check("e2: N1: there is no location l9", |p| {
        p.edges[Edge::new(2)].from = Loc::new(9);
    });
    check(
        "l3: N1: there is no procedure p7\ne3: L1: it leads from p0 to p7",
        |p| {
            p.locs[Loc::new(3)].proc = Proc::new(7);
        },
    );
    check("p1: N1: there is no location l9", |p| {
        p.procs[Proc::new(1)].entry = Loc::new(9);
    });
    check("e0: N1: there is no command c99", |p| set(p, Cmd::new(99)));
    check("e0: N1: there is no term 99", |p| {
        let cmd = p.cmds.assume(Term::from_u32(99));
        set(p, cmd);
    });
    check("e0: N1: there is no variable v99", |p| {
        let t = p.pool.num(8, 0);
        let cmd = p.cmds.assign(v(99), t);
        set(p, cmd);
    });
    check("e0: N1: there is no input i9", |p| {
        let cmd = p.cmds.havoc(&[(v(0), Input::new(9))]);
        set(p, cmd);
    });
    check("e1: N1: there is no procedure p9", |p| {
        call(p).callee = Proc::new(9)
    });
    check("r0: N1: there is no variable v99", |p| {
        p.regions[Region::new(0)].base = v(99);
    });
    check("p1: N1: there is no variable v99", |p| {
        p.procs[Proc::new(1)].results.push(v(99));
        call(p).results.push(v(0));
    });
}

#[test]
fn n2_spans() {
    let bad = Span::new(File::new(3), 1, 1);
    check(
        "i0: N2: there is no file f3\nr0: N2: there is no file f3\np0: N2: there is no file f3\n\
         l0: N2: there is no file f3\ne0: N2: there is no file f3",
        |p| {
            p.inputs[Input::new(0)].span = bad;
            p.regions[Region::new(0)].span = bad;
            p.procs[Proc::new(0)].span = bad;
            p.locs[Loc::new(0)].span = bad;
            p.edges[Edge::new(0)].span = bad;
        },
    );
    check("v7: N2: there is no file f3", |p| {
        p.add_global("z", Type::Bool, bad);
    });
}

#[test]
fn t1_widths() {
    check("v7: T1: bv0 is no type", |p| {
        p.add_global("z", Type::Bv(0), Span::NONE);
    });
    check("i1: T1: [bv1]bv16777217 is no type", |p| {
        let ty = Type::Array {
            index: 1,
            elem: Type::MAX_WIDTH + 1,
        };
        p.add_input("z", ty, Span::NONE);
    });
    check("e0: T1: bv16777217 is no type", |p| {
        let x = p.pool.var(v(0));
        let wide = p.pool.intern_extend(Op::ZeroExt, Type::MAX_WIDTH + 1, x);
        let low = p.pool.intern_extract(7, 0, wide);
        let cmd = p.cmds.assign(v(0), low);
        set(p, cmd);
    });
}

#[test]
fn t2_t3_t4_commands() {
    check("e0: T2: it assumes a bv8", |p| {
        let x = p.pool.var(v(0));
        let cmd = p.cmds.assume(x);
        set(p, cmd);
    });
    check("e0: T3: v2 `b` is bool, what it is given bv8", |p| {
        assign(p, v(2), v(0))
    });
    check("e0: T4: v2 `b` is bool, what it is given bv8", |p| {
        let cmd = p.cmds.havoc(&[(v(2), Input::new(0))]);
        set(p, cmd);
    });
}

#[test]
fn c1_scopes() {
    let foreign = "e0: C1: v4 `a` is a local of p1, not of p0";
    check(foreign, |p| assign(p, v(4), v(0)));
    check(foreign, |p| assign(p, v(0), v(4)));
    check("e0: C1: v6 `t` is auxiliary", |p| assign(p, v(0), v(6)));
    check(foreign, |p| {
        let cmd = p.cmds.havoc(&[(v(4), Input::new(0))]);
        set(p, cmd);
    });
    check("e1: C1: v5 `r` is a local of p1, not of p0", |p| {
        call(p).results[0] = v(5)
    });
    check("e1: C1: v4 `a` is a local of p1, not of p0", |p| {
        let a = p.pool.var(v(4));
        call(p).args[0] = a;
    });
    // The same term is fine in the procedure that owns it, and found below other terms.
    check("e0: C1: v4 `a` is a local of p1, not of p0", |p| {
        let (a, x) = (p.pool.var(v(4)), p.pool.var(v(0)));
        let sum = p.pool.intern(Op::BvAdd, &[x, a]);
        let cmd = p.cmds.assign(v(0), sum);
        set(p, cmd);
        p.edges[Edge::new(4)].action = Action::Cmd(cmd);
    });
}

#[test]
fn c2_assigned_once() {
    check("e0: C2: v0 is assigned twice at once", |p| {
        let x = p.pool.var(v(0));
        let cmd = p.cmds.assign_all(&[(v(0), x), (v(1), x), (v(0), x)]);
        set(p, cmd);
    });
    check("e0: C2: v0 is assigned twice at once", |p| {
        let cmd = p
            .cmds
            .havoc(&[(v(0), Input::new(0)), (v(0), Input::new(0))]);
        set(p, cmd);
    });
    check("e1: C2: v1 is assigned twice at once", |p| {
        p.procs[Proc::new(1)].results.push(v(4));
        call(p).results.push(v(1));
    });
}

#[test]
fn c3_nesting() {
    let nested = |p: &mut Program, levels: u32| {
        let mut cmd = p.cmds.skip();
        for _ in 0..levels {
            let skip = p.cmds.skip();
            cmd = p.cmds.choice(&[cmd, skip]);
        }
        set(p, cmd);
    };
    check("", |p| nested(p, MAX_NESTING));
    check("e0: C3: its command nests 1001 levels deep", |p| {
        nested(p, MAX_NESTING + 1);
    });
}

#[test]
fn l1_l2_l3_control() {
    check("e2: L1: it leads from p0 to p1", |p| {
        p.edges[Edge::new(2)].to = Loc::new(4);
    });
    check("p1: L2: the entry l0 belongs to p0", |p| {
        p.procs[Proc::new(1)].entry = Loc::new(0);
    });
    check("p1: L2: the exit l1 belongs to p0", |p| {
        p.procs[Proc::new(1)].exit = Some(Loc::new(1));
    });
    check("p1: L2: the exit is not a plain location", |p| {
        p.locs[Loc::new(5)].kind = LocKind::Error("bad".into());
    });
    for (loc, what) in [(1, "exit"), (2, "error"), (3, "incomplete")] {
        check(
            &format!("e2: L3: it leaves the {what} location l{loc}"),
            |p| {
                p.edges[Edge::new(2)].from = Loc::new(loc);
            },
        );
    }
}

#[test]
fn p1_p2_p3_p4_procedures() {
    check("p1: P1: p0 is named `main` too", |p| {
        p.procs[Proc::new(1)].name = "main".into();
    });
    check("p1: P2: the parameter v0 `x` is no local", |p| {
        p.procs[Proc::new(1)].params[0] = v(0);
    });
    check("p1: P2: the result v1 `y` is no local", |p| {
        p.procs[Proc::new(1)].results[0] = v(1);
    });
    check(
        "p1: P2: the parameter v4 `a` comes twice\ne1: P3: 1 arguments for the 2 of `f`",
        |p| p.procs[Proc::new(1)].params.push(v(4)),
    );
    check("e1: P3: 0 results for the 1 of `f`", |p| {
        call(p).results.clear()
    });
    check("e1: P3: v4 `a` is bv8, what it is given bool", |p| {
        let b = p.pool.var(v(2));
        call(p).args[0] = b;
    });
    check("e1: P3: v2 `b` is bool, what it is given bv8", |p| {
        call(p).results[0] = v(2)
    });
    check("program: P4: there is no procedure p5", |p| {
        p.main = Proc::new(5)
    });
    check("p1: P4: p1 `f` is `main` and has parameters", |p| {
        p.main = Proc::new(1)
    });
}

#[test]
fn r1_regions() {
    let region = Region::new(0);
    check("r0: R1: the memory v0 `x` is bv8, no array", |p| {
        p.regions[region].memory = v(0)
    });
    check("r0: R1: the base is bool, the index bv8", |p| {
        p.regions[region].base = v(2)
    });
    check("", |p| p.regions[region].base = v(6));
}

/// A pass may drop a procedure and leave its variables behind; using them is still an error.
#[test]
fn variables_may_outlive_their_procedure() {
    check("", |p| {
        p.pool
            .rename_var(v(6), "t".into(), Scope::Local(Proc::new(9)));
    });
    check("e0: C1: v6 `t` is a local of p9, not of p0", |p| {
        p.pool
            .rename_var(v(6), "t".into(), Scope::Local(Proc::new(9)));
        assign(p, v(0), v(6));
    });
}
