//! `points-to`: memories fall apart into classes of objects and variables.

use trellis_ivl::{Cmd, Loc, Op, Program, RegionData, Span, Term, Type, Var};
use trellis_ivl_passes::{Property, parse_list};
use trellis_ivl_testing::{Rng, check_list, optimised};

/// Two scalars behind pointers become variables; the list and the buffer become memories.
#[test]
fn tells_objects_apart() {
    let input = include_str!("data/objects.ivl");
    insta::assert_snapshot!("apart", optimised(input, "points-to"));
    insta::assert_snapshot!("small", optimised(input, "points-to, propagate, dce"));
}

/// One pointer to both objects: one class, and nothing changes.
#[test]
fn leaves_one_class_alone() {
    let input = include_str!("data/objects.ivl").replace("ax, ay };", "ax, ite(c, ax, ay) };");
    let text = optimised(&input, "points-to");
    assert!(text.contains("mem.x := mem.x[ax"), "{text}");
    let input = include_str!("data/both.ivl");
    assert_eq!(optimised(input, "points-to"), optimised(input, ""));
}

/// What the objects of a random program hold.
#[derive(Clone, Copy, PartialEq)]
enum Contents {
    Data,
    Pointers,
}

/// A random program over one memory whose accesses keep the promise of its regions.
struct Pointers<'a> {
    rng: &'a mut Rng,
    p: Program,
    mem: Var,
    bases: Vec<Var>,
    sizes: Vec<u64>,
    pointers: Vec<Var>,
    data: Var,
    contents: Contents,
    at: Loc,
    checks: usize,
}

fn pointers(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    let mut p = Program::new();
    let main = p.add_proc("main", Span::NONE);
    // Objects of one element, or one of two elements and one of one: what can be enumerated.
    let (index, sizes, n) = match rng.below(30) {
        0 => (2, vec![2, 1], 0),
        _ => (1, vec![1, 1], 2),
    };
    let contents = match index == 1 && rng.chance(40) {
        true => Contents::Pointers,
        false => Contents::Data,
    };
    let address = Type::Bv(index);
    let mem = p.add_global("mem", Type::Array { index, elem: 1 }, Span::NONE);
    let mut global = |name: String, ty: Type| p.add_global(name, ty, Span::NONE);
    let bases: Vec<Var> = (0..sizes.len())
        .map(|i| global(format!("&o{i}"), address))
        .collect();
    let pointers = (0..n).map(|i| global(format!("p{i}"), address)).collect();
    let data = global("d".into(), Type::Bv(1));
    for (i, &base) in bases.iter().enumerate() {
        p.regions.push(RegionData {
            name: format!("o{i}"),
            memory: mem,
            base,
            size: Some(sizes[i]),
            span: Span::NONE,
        });
    }
    let at = p.procs[main].entry;
    let mut g = Pointers {
        rng: &mut rng,
        p,
        mem,
        bases,
        sizes,
        pointers,
        data,
        contents,
        at,
        checks: 0,
    };
    g.start();
    g.block(6, 2);
    g.check();
    let exit = g.fresh();
    let skip = g.p.cmds.skip();
    g.go(exit, skip);
    g.p.procs[main].exit = Some(exit);
    g.p
}

impl Pointers<'_> {
    fn fresh(&mut self) -> Loc {
        let main = self.p.main;
        self.p.add_loc(main, Span::NONE)
    }

    fn go(&mut self, to: Loc, cmd: Cmd) {
        self.p.add_edge(self.at, to, cmd, Span::NONE);
        self.at = to;
    }

    fn next(&mut self, cmd: Cmd) {
        let to = self.fresh();
        self.go(to, cmd);
    }

    fn assign(&mut self, v: Var, t: Term) {
        let cmd = self.p.cmds.assign(v, t);
        self.next(cmd);
    }

    /// Bases get their addresses, and everything that is used as an address one of them.
    fn start(&mut self) {
        let mut address = 0;
        for i in 0..self.bases.len() {
            let width = self.p.pool.var_ty(self.bases[i]).width().expect("bits");
            let k = self.p.pool.num(width, address);
            address += self.sizes[i];
            self.assign(self.bases[i], k);
        }
        for i in 0..self.pointers.len() {
            let t = self.base_term();
            self.assign(self.pointers[i], t);
        }
        if self.contents == Contents::Pointers {
            for i in 0..self.bases.len() {
                let at = self.p.pool.var(self.bases[i]);
                let value = self.base_term();
                self.write(at, value);
            }
        }
    }

    /// An address of an object from its base.
    fn base_term(&mut self) -> Term {
        let i = self.rng.below(self.bases.len());
        let base = self.p.pool.var(self.bases[i]);
        let width = self.p.pool.width(base);
        let k = self.rng.below(self.sizes[i] as usize) as u64;
        let k = self.p.pool.num(width, k);
        self.p.pool.bvadd(base, k)
    }

    /// An address of an object.
    fn address(&mut self) -> Term {
        match self.rng.below(6) {
            0 | 1 => self.base_term(),
            2 if self.contents == Contents::Pointers => {
                let at = self.base_term();
                self.read(at)
            }
            3 if self.rng.chance(30) => {
                let (c, a, b) = (self.condition(), self.base_term(), self.base_term());
                self.p.pool.ite(c, a, b)
            }
            _ if self.pointers.is_empty() => self.base_term(),
            _ => {
                let v = *self.rng.pick(&self.pointers);
                self.p.pool.var(v)
            }
        }
    }

    fn read(&mut self, at: Term) -> Term {
        let mem = self.p.pool.var(self.mem);
        self.p.pool.select(mem, at)
    }

    fn write(&mut self, at: Term, value: Term) {
        let mem = self.p.pool.var(self.mem);
        let t = self.p.pool.store(mem, at, value);
        self.assign(self.mem, t);
    }

    /// Both elements of the first object, where it has two.
    fn wide(&mut self) -> Option<Term> {
        if self.sizes[0] != 2 {
            return None;
        }
        let base = self.p.pool.var(self.bases[0]);
        let one = self.p.pool.num(2, 1);
        let second = self.p.pool.bvadd(base, one);
        let (low, high) = (self.read(base), self.read(second));
        Some(self.p.pool.concat(high, low))
    }

    fn condition(&mut self) -> Term {
        let (a, b) = match self.rng.below(4) {
            0 => (self.address(), self.base_term()),
            1 if self.sizes[0] == 2 => {
                let k = self.rng.below(4) as u64;
                let k = self.p.pool.num(2, k);
                (self.wide().expect("two elements"), k)
            }
            _ if self.contents == Contents::Data => {
                let (at, one) = (self.address(), self.p.pool.num(1, 1));
                (self.read(at), one)
            }
            _ => {
                let d = self.p.pool.var(self.data);
                let one = self.p.pool.num(1, 1);
                (d, one)
            }
        };
        let t = self.p.pool.eq(a, b);
        match self.rng.chance(50) {
            true => t,
            false => self.p.pool.not(t),
        }
    }

    fn statement(&mut self) {
        let d = self.p.pool.var(self.data);
        match (self.rng.below(6), self.contents) {
            (0, _) => {
                let cmd = self.p.havoc(self.data, Span::NONE);
                self.next(cmd);
            }
            (1, _) if !self.pointers.is_empty() => {
                let t = self.address();
                let v = *self.rng.pick(&self.pointers);
                self.assign(v, t);
            }
            (2, Contents::Data) => {
                let at = self.address();
                let t = self.read(at);
                self.assign(self.data, t);
            }
            (3, Contents::Data) if self.sizes[0] == 2 => {
                // Both elements at once, the second one complemented.
                let base = self.p.pool.var(self.bases[0]);
                let one = self.p.pool.num(2, 1);
                let second = self.p.pool.bvadd(base, one);
                let mem = self.p.pool.var(self.mem);
                let not = self.p.pool.bvnot(d);
                let t = self.p.pool.store(mem, base, d);
                let t = self.p.pool.store(t, second, not);
                self.assign(self.mem, t);
            }
            (_, Contents::Data) => {
                let at = self.address();
                let value = match self.rng.chance(50) {
                    true => d,
                    false => self.p.pool.bvnot(d),
                };
                self.write(at, value);
            }
            (_, Contents::Pointers) => {
                let (at, value) = (self.address(), self.address());
                self.write(at, value);
            }
        }
    }

    fn check(&mut self) {
        let bad = {
            let (main, name) = (self.p.main, format!("check {}", self.checks));
            self.p.add_error(main, name, Span::NONE)
        };
        self.checks += 1;
        let c = self.condition();
        let cmd = self.p.cmds.assume(c);
        self.p.add_edge(self.at, bad, cmd, Span::NONE);
        let c = self.p.pool.not(c);
        let cmd = self.p.cmds.assume(c);
        self.next(cmd);
    }

    fn block(&mut self, statements: usize, depth: usize) {
        for _ in 0..1 + self.rng.below(statements) {
            match self.rng.below(8) {
                0 => self.check(),
                1 if depth > 0 => self.branch(depth),
                2 if depth > 0 => self.repeat(depth),
                _ => self.statement(),
            }
        }
    }

    fn branch(&mut self, depth: usize) {
        let (from, end) = (self.at, self.fresh());
        let c = self.condition();
        let not = self.p.pool.not(c);
        for c in [c, not] {
            self.at = from;
            let cmd = self.p.cmds.assume(c);
            self.next(cmd);
            self.block(3, depth - 1);
            let skip = self.p.cmds.skip();
            self.go(end, skip);
        }
    }

    fn repeat(&mut self, depth: usize) {
        let head = self.at;
        let c = self.condition();
        let cmd = self.p.cmds.assume(c);
        self.next(cmd);
        self.block(3, depth - 1);
        let skip = self.p.cmds.skip();
        self.go(head, skip);
        let not = self.p.pool.not(c);
        let cmd = self.p.cmds.assume(not);
        self.next(cmd);
    }
}

/// Whether any edge still mentions the one memory.
fn keeps_memory(p: &Program) -> bool {
    let mem = Var::from_u32(0);
    p.edges.keys().any(|e| {
        let c = p.edge_cmd(e).expect("flat");
        p.pool.free_vars(p.cmds.terms(c)).contains(&mem) || p.cmds.modified(c).contains(&mem)
    })
}

#[test]
fn keeps_the_meaning_of_random_programs() {
    let (mut done, mut split, mut promoted) = (0, 0, 0);
    for seed in 0..1_100 {
        let p = pointers(seed);
        for list in ["points-to", "points-to, (propagate, dce)*, lbe"] {
            match check_list(&p, list) {
                Ok(enumerated) => done += usize::from(enumerated && list == "points-to"),
                Err(why) => panic!("{list} on seed {seed}: {why}\n{p}"),
            }
        }
        let mut after = p.clone();
        let list = parse_list("points-to", &Property::of(&p)).expect("a correct list");
        list.run(&mut after).expect("a correct pass");
        split += usize::from(!keeps_memory(&after));
        let arrays = after.edges.keys().any(|e| {
            let terms = after.cmds.terms(after.edge_cmd(e).expect("flat"));
            let order = after.pool.post_order(terms);
            order.iter().any(|&t| after.pool.op(t) == Op::Select)
        });
        promoted += usize::from(keeps_memory(&p) && !keeps_memory(&after) && !arrays);
    }
    assert!(done >= 1_000, "only {done} programs enumerated");
    assert!(split >= 300, "only {split} programs lost their memory");
    assert!(promoted >= 50, "only {promoted} programs became scalar");
}
