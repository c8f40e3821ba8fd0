//! What a process says when it is aborted.
//!
//! Memory that cannot be had, a stack that is used up, an exception of a C++ library that nobody catches: each ends in
//! `abort`, which would leave whoever reads our output without an answer. A handler writes a prepared answer and ends the
//! process with a prepared exit code instead. What went wrong has been written to standard error by then.

use std::io::Error;

/// On an abort, writes `words` to standard output and ends the process with `code`.
///
/// Limits on the size of files become errors of the writer, which can tell them, instead of a signal.
pub fn prepare(words: Vec<u8>, code: i32) -> Result<(), Error> {
    let speak = move || {
        // SAFETY: the two calls are async-signal-safe, and the words are never freed while the handler is there. Nothing
        // is left to be done about words that cannot be written.
        unsafe {
            libc::write(libc::STDOUT_FILENO, words.as_ptr().cast(), words.len());
            libc::_exit(code);
        }
    };
    // SAFETY: the handler makes async-signal-safe calls only, and does not return.
    unsafe { signal_hook::low_level::register(libc::SIGABRT, speak)? };
    // SAFETY: a plain system call; ignoring a signal runs no code.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    Ok(())
}
