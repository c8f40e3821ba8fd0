//! Every technique as a typed option.

use trellis_plugin_sdk::{option_enum, options};

option_enum! {
    /// How far a blocked cube is weakened before it is learnt.
    pub enum Generalise {
        /// The obligation's cube as it is.
        None = "none",
        /// The union of the unsatisfiable cores of the incoming edges.
        Core = "core",
        /// Cores, then literals dropped one by one while the rest stays inductive.
        Drop = "drop",
        /// As `drop`; a counterexample to dropping is blocked where it stands, if it can be.
        Ctg = "ctg",
    }
}

option_enum! {
    /// What an obligation's region is made of.
    pub enum Regions {
        /// One path and one cube: choices and disjunctions are resolved by the model.
        Cube = "cube",
        /// The whole existential precondition of the edge as one formula.
        Formula = "formula",
    }
}

option_enum! {
    /// Which queries share a solver session.
    pub enum Sessions {
        /// Those of one edge.
        Edge = "edge",
        /// Those of all edges that leave one location.
        Location = "location",
    }
}

option_enum! {
    /// When to try to stop.
    pub enum Termination {
        /// When the delta frames of one level are empty at all locations.
        Frames = "frames",
        /// Also after more stable iterations than all elementary cycles are long together.
        New = "new",
        /// As `new`, but cycles that differ in parallel edges count once.
        Greedy = "greedy",
    }
}

option_enum! {
    /// Which learnt cubes are offered to the successors of their location.
    pub enum Push {
        /// None.
        None = "none",
        /// All.
        All = "all",
        /// Those for successors with one incoming edge.
        Predecessor = "predecessor",
        /// Those over variables that the edge to the successor does not assign.
        Assign = "assign",
        /// Those that fulfil both conditions.
        Restrictive = "restrictive",
    }
}

options! {
    /// What the engine may be told.
    pub struct Options {
        /// How far a blocked cube is weakened before it is learnt.
        generalise: Generalise = Generalise::Drop,
        /// How many failed attempts to drop a literal are made per cube.
        drop_limit: u32 = 12,
        /// How many counterexamples to dropping are blocked per literal (`generalise = "ctg"`).
        ctg_limit: u32 = 3,
        /// Literals implied by a cube that may stand in for its own: relations between its variables
        /// and predicates of the program. At most this many are tried per cube; 0 tries none.
        implied: u32 = 24,
        /// How many queries the search among implied literals may take per hundred of the rest, beyond its first
        /// few hundred.
        implied_share: Option<u32> where 1..=4_294_967_295 = Some(10),
        /// Bits and slices of variables that a cube fixes are implied literals too.
        slices: bool = true,
        /// Bounds in learnt cubes are moved as far as the cube stays inductive.
        relax: bool = true,
        /// An interpolant between the incoming edges and the cube is learnt in place of the cube,
        /// where the solver can interpolate.
        interpolate: bool = false,
        /// Before the first iteration, linear equations between variables are looked for at all locations.
        equations: bool = true,
        /// What an obligation's region is made of.
        regions: Regions = Regions::Cube,
        /// How many disjunctions of one region are resolved by the model; further ones stay
        /// formulas.
        split: u32 = 64,
        /// Inputs are eliminated by terms of the program where one fits, by the model's value
        /// otherwise; without this always by the value.
        project: bool = true,
        /// Obligations of one iteration are kept for the next.
        reuse: bool = true,
        /// Kept obligations are blocked without a query where no predecessor's frame has changed.
        skip: bool = true,
        /// Kept obligations that a learnt cube covers are dropped with all that derive from them.
        prune: bool = false,
        /// When to try to stop.
        termination: Termination = Termination::Frames,
        /// Which learnt cubes are offered to the successors of their location.
        push: Push = Push::None,
        /// Offered cubes are checked by the solver also where the graph shows that they hold.
        push_check: bool = true,
        /// Learnt cubes are moved to the next level where they hold there, after each iteration.
        propagate: bool = true,
        /// Which queries share a solver session.
        sessions: Sessions = Sessions::Edge,
        /// Queries after which the session of a small edge is made anew and told the lemmas that are left; that of a larger one
        /// is used accordingly longer.
        refresh: Option<u32> where 1..=4_294_967_295 = Some(200),
        /// Answers are remembered as long as they stay true.
        cache: bool = true,
        /// Lemmas are published to other engines and theirs are used.
        share: bool = true,
        /// Conflicts that a query of the generalisation may use.
        effort: Option<u64> where 1..=9_223_372_036_854_775_807 = Some(2_000),
        /// Conflicts that any other query may use; the run ends without an answer where one needs more.
        conflicts: Option<u64> where 1..=9_223_372_036_854_775_807 = None,
        /// Each iteration looks further than the last by this part of its bound, but at least by one edge; with none by
        /// one edge. So deep errors take few iterations.
        stride: Option<u32> where 1..=4_294_967_295 = Some(8),
        /// The last iteration, if there is one.
        iterations: Option<u32> where 1..=4_294_967_295 = None,
        /// The last query, if there is one: a limit that gives the same answer on every machine.
        queries: Option<u64> where 1..=9_223_372_036_854_775_807 = None,
        /// Whether the delta frames are logged after each iteration.
        trace_frames: bool = false,
    }
}
