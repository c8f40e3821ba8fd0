//! Room for the recursions of a whole check, whatever the limit of the calling thread is.

use crate::error::Error;

/// Sizes of the stack, tried in this order.
const STACKS: [usize; 3] = [256 << 20, 32 << 20, 4 << 20];

/// Does `work` on a thread that has room for it. A panic goes on in the caller.
pub fn with_room<T: Send>(work: impl Fn() -> T + Sync) -> Result<T, Error> {
    std::thread::scope(|scope| {
        let thread = || std::thread::Builder::new().name("trellis".into());
        let mut started = STACKS
            .iter()
            .map(|size| thread().stack_size(*size).spawn_scoped(scope, &work));
        match started.find_map(Result::ok).map(|thread| thread.join()) {
            Some(Ok(done)) => Ok(done),
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => Err(Error::Limit(
                "the system allows no thread: see `ulimit -u` and `ulimit -v`".into(),
            )),
        }
    })
}
