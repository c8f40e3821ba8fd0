//! The keeper of the jobs that this crate starts, for its tests.
//!
//! The `trellis` command is its own keeper.

fn main() -> std::process::ExitCode {
    trellis_confine::keeper::keeper_main()
}
