//! A keeper and nothing else: the smallest executable that can stand between a caller and a job.
//!
//! The `trellis` command does the same for itself; this one is what the tests of this crate start.

use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() != Some(trellis_confine::KEEPER_COMMAND) {
        eprintln!("trellis-keeper: started by other programs only");
        return ExitCode::from(2);
    }
    trellis_confine::keeper::keeper_main()
}
