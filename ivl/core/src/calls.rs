//! What becomes of calls when they are expanded.

use crate::{Action, Proc, Program};
use std::collections::{BTreeMap, BTreeSet};

/// From this many copies of procedures on, calls multiply without recursion.
const MANY: u64 = 2_000;

/// Whether a procedure that `main` reaches is recursive, or the expansion of calls would have many copies: what contracts are
/// for.
pub fn multiply(program: &Program) -> bool {
    copies(program).is_none_or(|n| n > MANY)
}

/// How many copies of procedures the expansion of all calls has, `main` among them; `None` where one is recursive.
pub fn copies(program: &Program) -> Option<u64> {
    let mut calls: BTreeMap<Proc, Vec<Proc>> = BTreeMap::new();
    for data in program.edges.values() {
        if let Action::Call(call) = &data.action {
            let caller = program.locs[data.from].proc;
            calls.entry(caller).or_default().push(call.callee);
        }
    }
    enum Visit {
        Enter(Proc),
        Leave(Proc),
    }
    let of = |p: Proc| calls.get(&p).into_iter().flatten().copied();
    // Callers first; who is still open when met again is recursive.
    let (mut open, mut copies) = (BTreeSet::new(), BTreeMap::<Proc, u64>::new());
    let mut work = vec![Visit::Enter(program.main)];
    while let Some(visit) = work.pop() {
        match visit {
            Visit::Enter(p) if open.contains(&p) => return None,
            Visit::Enter(p) if copies.contains_key(&p) => {}
            Visit::Enter(p) => {
                open.insert(p);
                work.push(Visit::Leave(p));
                work.extend(of(p).map(Visit::Enter));
            }
            Visit::Leave(p) => {
                open.remove(&p);
                let below = of(p).map(|q| copies.get(&q).copied().unwrap_or(0));
                let all = below.fold(1u64, u64::saturating_add);
                copies.insert(p, all);
            }
        }
    }
    copies.get(&program.main).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    /// `main` and eleven procedures, each of which calls the next twice; the last calls what `last` says.
    fn chain(last: &str) -> Program {
        let mut source = String::from("ivl 1;\n");
        for i in 0..12 {
            let name = if i == 0 {
                "main".into()
            } else {
                format!("p{i}")
            };
            let next = match i {
                11 => last.to_string(),
                _ => format!("p{}", i + 1),
            };
            let edges = match next.as_str() {
                "" => format!("a{i} -> b{i} {{ skip }}; b{i} -> c{i} {{ skip }};"),
                next => format!("a{i} -> b{i} call {next}(); b{i} -> c{i} call {next}();"),
            };
            source +=
                &format!("proc {name}() {{ loc a{i} entry; loc b{i}; loc c{i} exit; {edges} }}\n");
        }
        source += "main main;";
        text::parse(&source).unwrap_or_else(|e| panic!("{e}\n{source}"))
    }

    #[test]
    fn copies_double_and_recursion_has_none() {
        assert_eq!(copies(&chain("")), Some((1 << 12) - 1));
        assert!(multiply(&chain("")));
        assert_eq!(copies(&chain("p3")), None);
        let alone =
            text::parse("ivl 1; proc main() { loc a entry; } main main;").expect("a program");
        assert_eq!(copies(&alone), Some(1));
        assert!(!multiply(&alone));
    }
}
