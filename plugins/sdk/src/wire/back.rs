//! The way back of a pass as words.

use super::reader::{Reader, WireError};
use super::terms::Sent;
use super::verdict::{read_fact, read_nodes};
use cranelift_entity::EntityRef;
use std::collections::BTreeMap;
use trellis_ivl::{Edge, Loc, Program, Scope, Term, TermPool, Var};
use trellis_ivl_passes::{ControlMap, Invariants, Walk};
use trellis_plugin_abi::words as w;

/// Walks inside walks gain nothing; the limit keeps whoever follows them from deep recursion.
const MAX_NESTING: usize = 1000;

/// The words of the way back from `program` to one with so many locations before.
pub fn write(program: &Program, locs_before: usize, back: &ControlMap) -> Vec<u32> {
    let same_locs = locs_before == program.locs.len()
        && (0..locs_before).all(|l| back.locs[Loc::new(l)] == Loc::new(l).into());
    let same_edges = back.walks.iter().all(|(e, walk)| *walk == Walk::Edge(e));
    let flags = u32::from(same_edges) * w::TRELLIS_BACK_SAME_EDGES
        + u32::from(same_locs) * w::TRELLIS_BACK_SAME_LOCS;
    let mut out = vec![flags];
    if same_edges {
        out.push(0);
    } else {
        out.push(back.walks.len() as u32);
        back.walks
            .values()
            .for_each(|walk| write_walk(&mut out, walk));
    }
    if same_locs {
        out.push(0);
    } else {
        out.push(locs_before as u32);
        let after = |l| back.locs[Loc::new(l)].expand();
        out.extend((0..locs_before).map(|l| after(l).map_or(w::TRELLIS_NONE, |l| l.as_u32())));
    }
    let (mut sent, mut nodes, mut items) = (Sent::new(), Vec::new(), Vec::new());
    for facts in [&back.facts, &back.lemmas] {
        items.push(facts.len() as u32);
        for (l, &t) in facts {
            items.extend([l.as_u32(), sent.send(&program.pool, t, &mut nodes)]);
        }
    }
    let rename: BTreeMap<Var, Term> = back.rename.iter().map(|(&v, &t)| (v, t)).collect();
    items.push(rename.len() as u32);
    for (v, t) in rename {
        items.extend([v.as_u32(), sent.send(&program.pool, t, &mut nodes)]);
    }
    out.push(nodes.len() as u32);
    out.extend(nodes);
    out.extend(items);
    out
}

fn write_walk(out: &mut Vec<u32>, walk: &Walk) {
    let mut todo = vec![walk];
    while let Some(walk) = todo.pop() {
        match walk {
            Walk::Empty => out.push(w::TRELLIS_WALK_EMPTY),
            Walk::Edge(e) => out.extend([w::TRELLIS_WALK_EDGE, e.as_u32()]),
            Walk::Seq(walks) | Walk::Choice(walks) => {
                out.push(match walk {
                    Walk::Seq(_) => w::TRELLIS_WALK_SEQ,
                    _ => w::TRELLIS_WALK_CHOICE,
                });
                out.push(walks.len() as u32);
                todo.extend(walks.iter().rev());
            }
        }
    }
}

/// What a way back is about.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Locations and edges of the program before.
    pub before: (usize, usize),
    /// Locations and edges of the program after.
    pub after: (usize, usize),
    /// Variables of the program before; later ones exist only after.
    pub vars: usize,
}

/// Reads a way back, its terms into `pool`, which has the variables of both programs.
pub fn read(pool: &mut TermPool, sizes: Sizes, words: &[u32]) -> Result<ControlMap, WireError> {
    let mut r = Reader::new(words);
    let mut back = ControlMap::default();
    let flags = r.word("a way back")?;
    let all = w::TRELLIS_BACK_SAME_EDGES | w::TRELLIS_BACK_SAME_LOCS;
    if flags & !all != 0 {
        return Err(no_such("flag of a way back", flags & !all));
    }
    read_walks(&mut r, flags, sizes, &mut back)?;
    read_locs(&mut r, flags, sizes, &mut back)?;
    let terms = read_nodes(pool, &mut r)?;
    let facts = |r: &mut Reader<'_>| {
        let mut facts = Invariants::new();
        for _ in 0..r.count("facts")? {
            let (l, t) = read_fact(pool, sizes.before.0, &terms, r)?;
            only_before(pool, sizes.vars, t)?;
            facts.insert(l, t);
        }
        Ok::<_, WireError>(facts)
    };
    back.facts = facts(&mut r)?;
    back.lemmas = facts(&mut r)?;
    for _ in 0..r.count("renamed variables")? {
        let number = r.entity("a variable")?;
        let v = Var::from_u32(number);
        let t = terms.term(r.word("a renamed variable")?)?;
        only_before(pool, sizes.vars, t)?;
        let new = number as usize >= sizes.vars && pool.vars().is_valid(v);
        if !new || pool.var_data(v).scope == Scope::Auxiliary {
            return Err(no_such("variable that exists only after", number));
        }
        if pool.var_ty(v) != pool.ty(t) {
            let message = format!("{v} has type {}, not {}", pool.var_ty(v), pool.ty(t));
            return Err(WireError::IllTyped(message));
        }
        back.rename.insert(v, t);
    }
    r.finish()?;
    Ok(back)
}

fn no_such(what: &'static str, number: u32) -> WireError {
    WireError::NoSuch { what, number }
}

/// Fails where a term mentions a variable that the program before does not have.
fn only_before(pool: &TermPool, vars: usize, t: Term) -> Result<(), WireError> {
    match pool.free_vars([t]).into_iter().find(|v| v.index() >= vars) {
        None => Ok(()),
        Some(v) => Err(WireError::Malformed(format!(
            "{v} does not exist before the pass"
        ))),
    }
}

fn read_walks(
    r: &mut Reader<'_>,
    flags: u32,
    sizes: Sizes,
    back: &mut ControlMap,
) -> Result<(), WireError> {
    let count = r.count("the walks")?;
    let same = flags & w::TRELLIS_BACK_SAME_EDGES != 0;
    let wanted = if same { 0 } else { sizes.after.1 };
    if count != wanted {
        return Err(WireError::Malformed(format!(
            "{count} walks for {wanted} edges"
        )));
    }
    for _ in 0..count {
        back.walks.push(read_walk(r, sizes.before.1)?);
    }
    if same {
        if sizes.after.1 > sizes.before.1 {
            return Err(no_such("edge before", sizes.before.1 as u32));
        }
        let edges = (0..sizes.after.1).map(|e| Walk::Edge(Edge::new(e)));
        back.walks = edges.collect();
    }
    Ok(())
}

fn read_walk(r: &mut Reader<'_>, edges: usize) -> Result<Walk, WireError> {
    // Walks that wait for their parts: the kind, how many, and those read.
    let mut open: Vec<(u32, usize, Vec<Walk>)> = Vec::new();
    loop {
        let mut walk = match r.word("a walk")? {
            w::TRELLIS_WALK_EMPTY => Walk::Empty,
            w::TRELLIS_WALK_EDGE => {
                let e = r.entity("a walk")?;
                if e as usize >= edges {
                    return Err(no_such("edge before", e));
                }
                Walk::Edge(Edge::from_u32(e))
            }
            kind @ (w::TRELLIS_WALK_SEQ | w::TRELLIS_WALK_CHOICE) => {
                let n = r.count("a walk")?;
                if open.len() == MAX_NESTING {
                    let message = format!("walks are nested more than {MAX_NESTING} deep");
                    return Err(WireError::Malformed(message));
                }
                if n > 0 {
                    open.push((kind, n, Vec::new()));
                    continue;
                }
                group(kind, Vec::new())
            }
            number => return Err(no_such("kind of walk", number)),
        };
        loop {
            let Some((kind, n, mut walks)) = open.pop() else {
                return Ok(walk);
            };
            walks.push(walk);
            if walks.len() < n {
                open.push((kind, n, walks));
                break;
            }
            walk = group(kind, walks);
        }
    }
}

fn group(kind: u32, walks: Vec<Walk>) -> Walk {
    match kind {
        w::TRELLIS_WALK_SEQ => Walk::Seq(walks),
        _ => Walk::Choice(walks),
    }
}

fn read_locs(
    r: &mut Reader<'_>,
    flags: u32,
    sizes: Sizes,
    back: &mut ControlMap,
) -> Result<(), WireError> {
    let count = r.count("the locations")?;
    let (before, after) = (sizes.before.0, sizes.after.0);
    if flags & w::TRELLIS_BACK_SAME_LOCS != 0 {
        if count != 0 || before != after {
            let message = format!("{before} locations before are {after} after");
            return Err(WireError::Malformed(message));
        }
        (0..before).for_each(|l| back.locs[Loc::new(l)] = Loc::new(l).into());
        return Ok(());
    }
    if count != before {
        let message = format!("{count} locations of {before}");
        return Err(WireError::Malformed(message));
    }
    for l in 0..count {
        match r.word("a location")? {
            w::TRELLIS_NONE => {}
            m if (m as usize) < after => back.locs[Loc::new(l)] = Loc::from_u32(m).into(),
            m => return Err(no_such("location", m)),
        }
    }
    Ok(())
}
