//! Template domains: each makes the rows of a loop head. A list of domains is their product.

use crate::addresses::Addresses;
use crate::guards::Guards;
use crate::related::Related;
use crate::row::{Kind, Row};
use trellis_engine_common::Cfa;
use trellis_engine_common::changes::{Change, change};
use trellis_ivl::{Loc, Term, TermPool, Type, Var};
use trellis_ivl_float::Floats as Terms;
use trellis_plugin_sdk::option_enum;

/// Bit-vectors wider than this get no numeric rows.
const MAX_WIDTH: u32 = 64;
/// Pairs of variables that count.
const MAX_COUNTERS: usize = 24;

/// A family of template rows.
pub trait Domain {
    /// As written in configurations.
    fn name(&self) -> &'static str;

    /// The rows of `head`.
    fn rows(&self, cfa: &mut Cfa, related: &Related, head: Loc) -> Vec<Row>;

    /// Whether its rows come in only after the first step has failed: there are many, and few proofs need them.
    fn is_late(&self) -> bool {
        false
    }

    /// Whether linear equations between all variables are to be found as well; they are no rows.
    fn wants_equations(&self) -> bool {
        false
    }
}

option_enum! {
    /// The domains, in the order of their cost.
    pub enum DomainName {
        /// No rows.
        Havoc = "havoc",
        /// Equalities of variables.
        Equalities = "equalities",
        /// Linear equations.
        Affine = "affine",
        /// Residues.
        Mod = "mod",
        /// Comparisons of the program.
        Guards = "guards",
        /// Bounds of variables.
        Intervals = "intervals",
        /// Bounds of floats.
        Floats = "floats",
        /// Bounds of differences.
        Zones = "zones",
        /// Bounds of differences and sums.
        Octagons = "octagons",
        /// Bounds of differences of what counts.
        Counters = "counters",
        /// Marks that were written, and where loops read.
        Addresses = "addresses",
    }
}

impl DomainName {
    /// The domain with that name.
    pub fn domain(self) -> Box<dyn Domain> {
        match self {
            DomainName::Havoc => Box::new(Havoc),
            DomainName::Equalities => Box::new(Equalities),
            DomainName::Affine => Box::new(Affine),
            DomainName::Mod => Box::new(Mod),
            DomainName::Guards => Box::new(Guards),
            DomainName::Intervals => Box::new(Intervals),
            DomainName::Floats => Box::new(Floats),
            DomainName::Zones => Box::new(Pairs { sums: false }),
            DomainName::Octagons => Box::new(Pairs { sums: true }),
            DomainName::Counters => Box::new(Counters),
            DomainName::Addresses => Box::new(Addresses::default()),
        }
    }
}

/// No rows: with it alone, k-invariants are k-induction.
struct Havoc;

impl Domain for Havoc {
    fn name(&self) -> &'static str {
        "havoc"
    }

    fn rows(&self, _: &mut Cfa, _: &Related, _: Loc) -> Vec<Row> {
        Vec::new()
    }
}

/// Linear equations modulo 2^w; see [`trellis_engine_common::affine`].
struct Affine;

impl Domain for Affine {
    fn name(&self) -> &'static str {
        "affine"
    }

    fn rows(&self, _: &mut Cfa, _: &Related, _: Loc) -> Vec<Row> {
        Vec::new()
    }

    fn wants_equations(&self) -> bool {
        true
    }
}

/// A variable taken as a signed or an unsigned number, two bits wider: room for the sum or difference of
/// two such numbers and its negation.
fn widened(pool: &mut TermPool, v: Var, signed: bool) -> Term {
    let t = pool.var(v);
    let width = pool.width(t) + 2;
    if signed {
        pool.sext(width, t)
    } else {
        pool.zext(width, t)
    }
}

/// The range of such a number.
fn range(width: u32, signed: bool) -> (i128, i128) {
    if signed {
        (-(1 << (width - 1)), (1 << (width - 1)) - 1)
    } else {
        (0, (1 << width) - 1)
    }
}

fn numeric(cfa: &Cfa, v: Var) -> Option<u32> {
    match cfa.program.pool.var_ty(v) {
        Type::Bv(w) if w <= MAX_WIDTH => Some(w),
        _ => None,
    }
}

/// `x ≤ d` and `-x ≤ d`; for booleans, that they are true or false.
struct Intervals;

impl Domain for Intervals {
    fn name(&self) -> &'static str {
        "intervals"
    }

    fn rows(&self, cfa: &mut Cfa, related: &Related, head: Loc) -> Vec<Row> {
        let mut rows = Vec::new();
        for v in cfa.live(head).to_vec() {
            if cfa.program.pool.var_ty(v) == Type::Bool {
                let b = cfa.program.pool.var(v);
                let not_b = cfa.program.pool.not(b);
                let kind = Kind::Fact;
                rows.extend([b, not_b].map(|expr| Row { head, expr, kind }));
            }
            let Some(width) = numeric(cfa, v) else {
                continue;
            };
            // A float's pattern is no number; `floats` has its bounds.
            if related.float(v).is_some() {
                continue;
            }
            for signed in [true, false] {
                let used = if signed {
                    related.is_signed(v)
                } else {
                    related.is_unsigned(v)
                };
                if !used {
                    continue;
                }
                let pool = &mut cfa.program.pool;
                let (low, high) = range(width, signed);
                let x = widened(pool, v, signed);
                let minus_x = pool.bvneg(x);
                for (expr, max) in [(x, high), (minus_x, -low)] {
                    let kind = Kind::Bound { max };
                    rows.push(Row { head, expr, kind });
                }
            }
        }
        rows
    }
}

/// Bounds of floats by their places in the order of numbers, and that they are numbers.
struct Floats;

impl Domain for Floats {
    fn name(&self) -> &'static str {
        "floats"
    }

    fn rows(&self, cfa: &mut Cfa, related: &Related, head: Loc) -> Vec<Row> {
        let mut rows = Vec::new();
        for v in cfa.live(head).to_vec() {
            let Some(format) = related.float(v).filter(|f| f.width() <= MAX_WIDTH) else {
                continue;
            };
            let pool = &mut cfa.program.pool;
            let x = pool.var(v);
            let mut floats = Terms::new(pool);
            let nan = floats.is_nan(format, x);
            let place = floats.order_key(format, x);
            let expr = pool.not(nan);
            let kind = Kind::Fact;
            rows.push(Row { head, expr, kind });
            let place = pool.zext(format.width() + 2, place);
            let minus_place = pool.bvneg(place);
            for (expr, max) in [(place, (1 << format.width()) - 1), (minus_place, 0)] {
                let kind = Kind::Bound { max };
                rows.push(Row { head, expr, kind });
            }
        }
        rows
    }
}

/// Differences (zones) and, with `sums`, sums (octagons) of related variables.
struct Pairs {
    sums: bool,
}

impl Domain for Pairs {
    fn name(&self) -> &'static str {
        if self.sums { "octagons" } else { "zones" }
    }

    fn rows(&self, cfa: &mut Cfa, related: &Related, head: Loc) -> Vec<Row> {
        let mut rows = Intervals.rows(cfa, related, head);
        let pairs = related.pairs(cfa, head);
        rows.extend(pair_rows(cfa, related, head, &pairs, self.sums));
        rows
    }
}

/// Differences of variables that count in loops, also of such that the program does not relate: what counts in the same rounds has a
/// difference that does not grow.
struct Counters;

impl Domain for Counters {
    fn name(&self) -> &'static str {
        "counters"
    }

    fn is_late(&self) -> bool {
        true
    }

    fn rows(&self, cfa: &mut Cfa, related: &Related, head: Loc) -> Vec<Row> {
        let changes = |v: Var| change(cfa, v);
        let counting = |v: &Var| changes(*v) == Change::ByConstants;
        let live = cfa.live(head).to_vec();
        let counters: Vec<Var> = live.into_iter().filter(counting).collect();
        let mut pairs = related.pairs(cfa, head);
        for (i, &a) in counters.iter().enumerate() {
            for &b in &counters[i + 1..] {
                let pool = &cfa.program.pool;
                if pool.var_ty(a) == pool.var_ty(b) && !pairs.contains(&(a, b)) {
                    pairs.push((a, b));
                }
            }
        }
        if pairs.is_empty() {
            return Vec::new();
        }
        pairs.truncate(MAX_COUNTERS);
        // Bounds of the variables themselves may need those of their differences, and the other way round.
        let mut rows = Intervals.rows(cfa, related, head);
        rows.extend(pair_rows(cfa, related, head, &pairs, false));
        rows
    }
}

/// The rows of pairs of variables.
fn pair_rows(
    cfa: &mut Cfa,
    related: &Related,
    head: Loc,
    pairs: &[(Var, Var)],
    sums: bool,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for &(a, b) in pairs {
        let Some(width) = numeric(cfa, a) else {
            continue;
        };
        for signed in [true, false] {
            let used = |v| {
                if signed {
                    related.is_signed(v)
                } else {
                    related.is_unsigned(v)
                }
            };
            if !used(a) || !used(b) {
                continue;
            }
            let pool = &mut cfa.program.pool;
            let (low, high) = range(width, signed);
            let (x, y) = (widened(pool, a, signed), widened(pool, b, signed));
            let mut list = vec![
                (pool.bvsub(x, y), high - low),
                (pool.bvsub(y, x), high - low),
            ];
            if sums {
                let sum = pool.bvadd(x, y);
                let minus = pool.bvneg(sum);
                list.extend([(sum, 2 * high), (minus, -2 * low)]);
            }
            for (expr, max) in list {
                let kind = Kind::Bound { max };
                rows.push(Row { head, expr, kind });
            }
        }
    }
    rows
}

/// `x = y` and `x ≠ y` for related variables, `x ≠ c` for constants that the program compares `x` with.
struct Equalities;

impl Domain for Equalities {
    fn name(&self) -> &'static str {
        "equalities"
    }

    fn rows(&self, cfa: &mut Cfa, related: &Related, head: Loc) -> Vec<Row> {
        let mut rows = Vec::new();
        let kind = Kind::Fact;
        for (a, b) in related.pairs(cfa, head) {
            let pool = &mut cfa.program.pool;
            if pool.var_ty(a).is_array() {
                continue;
            }
            let (x, y) = (pool.var(a), pool.var(b));
            for expr in [pool.eq(x, y), pool.ne(x, y)] {
                rows.push(Row { head, expr, kind });
            }
        }
        for v in cfa.live(head).to_vec() {
            for c in related.constants(v) {
                let pool = &mut cfa.program.pool;
                let (x, c) = (pool.var(v), pool.bv(c.clone()));
                let expr = pool.ne(x, c);
                rows.push(Row { head, expr, kind });
            }
        }
        rows
    }
}

/// `x mod 2^j = c` for the largest j.
struct Mod;

impl Domain for Mod {
    fn name(&self) -> &'static str {
        "mod"
    }

    fn rows(&self, cfa: &mut Cfa, _: &Related, head: Loc) -> Vec<Row> {
        let mut rows = Vec::new();
        for v in cfa.live(head).to_vec() {
            if numeric(cfa, v).is_some() {
                let expr = cfa.program.pool.var(v);
                let kind = Kind::LowBits;
                rows.push(Row { head, expr, kind });
            }
        }
        rows
    }
}
