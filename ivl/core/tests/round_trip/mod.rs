//! Printing then parsing is the identity: on random programs with odd names, on terms that are
//! very deep or very shared, and on large programs within linear time.

mod generate;

use generate::Generator;
use std::time::Instant;
use trellis_ivl::rng::Rng;
use trellis_ivl::text::{MAX_NESTING, parse, parse_term, print, print_term};
use trellis_ivl::verify::verify;
use trellis_ivl::{Action, Cmd, CmdPool, CmdView, Op, Program, Span, Term, TermPool, Type};

/// Whether `d` of `q` is `c` of `cmds` over `pool`, with all terms equal.
fn same_command(cmds: &CmdPool, c: Cmd, pool: &mut TermPool, q: &Program, d: Cmd) -> bool {
    match (cmds.view(c), q.cmds.view(d)) {
        (CmdView::Skip, CmdView::Skip) => true,
        (CmdView::Assume(s), CmdView::Assume(t)) => same_term(pool, s, q, t),
        (CmdView::Assign(a), CmdView::Assign(b)) => {
            let mut pairs = a.iter().zip(b);
            a.len() == b.len() && pairs.all(|(x, y)| x.0 == y.0 && same_term(pool, x.1, q, y.1))
        }
        (CmdView::Havoc(a), CmdView::Havoc(b)) => a == b,
        (CmdView::Seq(a), CmdView::Seq(b)) | (CmdView::Choice(a), CmdView::Choice(b)) => {
            let mut pairs = a.iter().zip(b);
            a.len() == b.len() && pairs.all(|(&x, &y)| same_command(cmds, x, pool, q, y))
        }
        _ => false,
    }
}

/// Copies `t` of `q` node by node into `pool`, where it has to turn out to be `s`.
fn same_term(pool: &mut TermPool, s: Term, q: &Program, t: Term) -> bool {
    let size = pool.len();
    pool.import(&q.pool, t, &mut |pool, v| pool.var(v)) == s && pool.len() == size
}

/// Everything that has a number has it still.
fn assert_same(mut p: Program, q: &Program, text: &str) {
    assert!(p.files.values().eq(q.files.values()), "{text}");
    assert!(p.inputs.values().eq(q.inputs.values()), "{text}");
    assert!(p.regions.values().eq(q.regions.values()), "{text}");
    assert!(p.procs.values().eq(q.procs.values()), "{text}");
    assert!(p.locs.values().eq(q.locs.values()), "{text}");
    assert!(p.pool.vars().values().eq(q.pool.vars().values()), "{text}");
    assert_eq!(p.main, q.main);
    assert_eq!(p.edges.len(), q.edges.len());
    for e in p.edges.keys().collect::<Vec<_>>() {
        let (d, f) = (p.edges[e].clone(), &q.edges[e]);
        assert_eq!((d.from, d.to, d.span), (f.from, f.to, f.span));
        let same = match (&d.action, &f.action) {
            (Action::Cmd(c), Action::Cmd(d)) => same_command(&p.cmds, *c, &mut p.pool, q, *d),
            (Action::Call(a), Action::Call(b)) => {
                let mut args = a.args.iter().zip(&b.args);
                (a.callee, &a.results, a.args.len()) == (b.callee, &b.results, b.args.len())
                    && args.all(|(&s, &t)| same_term(&mut p.pool, s, q, t))
            }
            _ => false,
        };
        assert!(same, "{e} differs in\n{text}");
    }
}

#[test]
fn random_programs() {
    for seed in 0..1500 {
        let p = Generator::program(seed);
        verify(&p).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{p}"));
        let text = print(&p);
        let q = parse(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        assert_eq!(print(&q), text, "seed {seed}");
        assert_same(p, &q, &text);
    }
}

/// Damaged texts yield errors or programs that round-trip, never a panic.
#[test]
fn damaged_texts() {
    let mut rng = Rng::new(7);
    let mut parsed = 0;
    for seed in 0..400 {
        let text = print(&Generator::program(seed));
        // Cut between different kinds of characters: mostly tokens.
        let kind = |c: char| match c {
            'a'..='z' | 'A'..='Z' | '_' => 0,
            '0'..='9' => 1,
            c if c.is_whitespace() => 2,
            c => c as u32,
        };
        let chars: Vec<char> = text.chars().collect();
        let pieces: Vec<String> = chars
            .chunk_by(|&a, &b| kind(a) == kind(b))
            .map(|piece| piece.iter().collect())
            .collect();
        for _ in 0..8 {
            let mut damaged = pieces.clone();
            for _ in 0..1 + rng.below(2) {
                let (i, j) = (rng.below(damaged.len()), rng.below(damaged.len()));
                match rng.below(4) {
                    0 => drop(damaged.remove(i)),
                    1 => damaged.insert(i, damaged[j].clone()),
                    2 => damaged.swap(i, j),
                    _ => damaged[i] = damaged[j].clone(),
                }
            }
            let damaged = damaged.concat();
            let Ok(p) = parse(&damaged) else { continue };
            parsed += 1;
            let _ = verify(&p);
            let text = print(&p);
            let q = parse(&text).unwrap_or_else(|e| panic!("{e}\n{damaged}\n{text}"));
            assert_eq!(print(&q), text, "{damaged}");
            assert_same(p, &q, &damaged);
        }
    }
    assert!(parsed > 100, "only {parsed} texts survived");
}

#[test]
fn random_terms() {
    for seed in 0..1500 {
        let mut p = Generator::program(seed);
        let vars = p.pool.vars().len();
        let terms: Vec<Term> = p.pool.terms().rev().take(3).collect();
        for t in terms {
            let text = print_term(&p.pool, t);
            let size = p.pool.len();
            let back = parse_term(&mut p, &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert_eq!((back, p.pool.len()), (t, size), "seed {seed}: {text}");
        }
        assert_eq!(p.pool.vars().len(), vars);
    }
}

/// One edge that assumes `t`.
fn assuming(mut p: Program, t: Term) -> Program {
    let proc = p.add_proc("main", Span::NONE);
    let entry = p.procs[proc].entry;
    let cmd = p.cmds.assume(t);
    p.add_edge(entry, entry, cmd, Span::NONE);
    p
}

#[test]
fn deep_terms() {
    type Step = fn(&mut Program, Term, Term) -> Term;
    let steps: [Step; 5] = [
        |p, t, x| p.pool.intern(Op::BvAdd, &[t, x]),
        |p, t, x| p.pool.intern(Op::BvSub, &[x, t]),
        |p, t, _| p.pool.intern(Op::BvNeg, &[t]),
        |p, t, x| {
            let wide = p.pool.intern(Op::Concat, &[t, x]);
            p.pool.intern_extract(31, 0, wide)
        },
        |p, t, x| {
            let c = p.pool.intern(Op::Eq, &[t, x]);
            p.pool.intern(Op::Ite, &[c, x, t])
        },
    ];
    for step in steps {
        let mut p = Program::new();
        let x = p.add_global("x", Type::Bv(32), Span::NONE);
        let x = p.pool.var(x);
        let mut t = x;
        for _ in 0..100_000 {
            t = step(&mut p, t, x);
        }
        let t = p.pool.intern(Op::Eq, &[t, x]);
        let p = assuming(p, t);
        let text = print(&p);
        assert!(text.lines().all(|l| l.len() < 3000), "lines stay short");
        let q = parse(&text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(print(&q), text);
        assert_same(p, &q, "a deep term");
    }
}

/// Deep in the text itself: no `let`, 100,000 parentheses, brackets and prefixes.
#[test]
fn deep_texts() {
    let n = 100_000;
    let mut p = Program::new();
    p.add_global("x", Type::Bv(8), Span::NONE);
    p.add_global("m", Type::Array { index: 8, elem: 8 }, Span::NONE);
    for (open, close) in [
        ("(", ")"),
        ("~", ""),
        ("m[", "]"),
        ("ite(true, x, ", ")"),
        ("x+(", ")"),
    ] {
        let text = format!("{}x{}", open.repeat(n), close.repeat(n));
        let t = parse_term(&mut p, &text).unwrap_or_else(|e| panic!("{e}"));
        let text = print_term(&p.pool, t);
        assert_eq!(parse_term(&mut p, &text), Ok(t));
    }
}

#[test]
fn commands_nest_up_to_the_limit() {
    let nested = |levels: usize| {
        let (open, close) = ("{ { skip } [] ".repeat(levels), " }".repeat(levels));
        let text = format!("proc main {{ loc a entry; a -> a {open}{{ skip }}{close}; }}");
        parse(&text)
    };
    let deepest = (MAX_NESTING as usize - 1) / 2;
    let p = nested(deepest).unwrap_or_else(|e| panic!("{e}"));
    verify(&p).unwrap_or_else(|e| panic!("{e}"));
    let text = print(&p);
    let again = parse(&text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(print(&again), text);
    let e = nested(deepest + 1).err().expect("too deep");
    assert_eq!(e.to_string(), "1:33: commands nest deeper than 1000 levels");
    assert!(nested(100_000).is_err());
}

/// A text full of errors is still read in linear time.
#[test]
fn many_errors() {
    let n = 30_000;
    let vars: String = (0..n)
        .map(|i| format!("var x{i}: bv8; var dup: bv8; "))
        .collect();
    let edges: String = (0..n)
        .map(|i| format!("a -> b {{ y{i} := x{i} + 1bv7 }}; "))
        .collect();
    let text = format!("{vars}proc main {{ loc a entry; {edges} }}");
    let e = parse(&text).err().expect("errors all over");
    assert_eq!(e.0.len(), 4 * n - 1);
}

#[test]
fn wide_dags() {
    let mut p = Program::new();
    let x = p.add_global("x", Type::Bv(32), Span::NONE);
    let x = p.pool.var(x);
    let mut t = x;
    for _ in 0..60 {
        t = p.pool.intern(Op::BvMul, &[t, t]); // a tree of 2^60 leaves
    }
    let text = print_term(&p.pool, t);
    assert!(text.len() < 2000, "{text}");
    assert_eq!(parse_term(&mut p, &text), Ok(t));
    let t = p.pool.intern(Op::Eq, &[t, x]);
    let p = assuming(p, t);
    let text = print(&p);
    let q = parse(&text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(print(&q), text);
    assert_same(p, &q, &text);
}

/// Time per edge does not grow with the program. Says what it measured with `--nocapture`.
#[test]
fn large_programs() {
    let chain = |n: usize| {
        let mut p = Program::new();
        let names = ["x", "y", "count", "limit"];
        let vars = names.map(|n| p.add_global(n, Type::Bv(32), Span::NONE));
        let file = p.files.push("large.c".into());
        let proc = p.add_proc("main", Span::NONE);
        let mut at = p.procs[proc].entry;
        for i in 0..n {
            let place = Span::new(file, i as u32 + 1, 5);
            let terms = vars.map(|v| p.pool.var(v));
            let k = p.pool.num(32, i as u64 % 1000);
            let guard = p.pool.intern(Op::BvUlt, &[terms[i % 4], k]);
            let sum = p.pool.intern(Op::BvAdd, &[terms[(i + 1) % 4], k]);
            let product = p.pool.intern(Op::BvMul, &[sum, terms[i % 3]]);
            let steps = [
                p.cmds.assume(guard),
                p.cmds.assign(vars[i % 4], product),
                p.havoc(vars[(i + 2) % 4], place),
            ];
            let cmd = p.cmds.seq(&steps);
            let next = p.add_loc(proc, place);
            p.add_edge(at, next, cmd, place);
            at = next;
        }
        p
    };
    let p = chain(100_000);
    let start = Instant::now();
    let text = print(&p);
    let printed = start.elapsed();
    let q = parse(&text).unwrap_or_else(|e| panic!("{e}"));
    let parsed = start.elapsed() - printed;
    verify(&q).unwrap_or_else(|e| panic!("{e}"));
    let verified = start.elapsed() - printed - parsed;
    println!(
        "{} bytes: print {printed:?}, parse {parsed:?}, verify {verified:?}",
        text.len()
    );
    assert_eq!(print(&q), text);
}
