//! Files that users or their tasks name; see `trellis_input` for what is read and what is not.

use crate::error::Error;
use std::path::Path;
use trellis_input::{PROGRAM, TEXT, bounded, bytes, text};

/// The bytes of a program, or of standard input for `-`.
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let bytes = match path == Path::new("-") {
        true => bounded(std::io::stdin().lock(), PROGRAM),
        false => bytes(path, PROGRAM),
    };
    bytes.map_err(io(path))
}

/// A text about a program: a task, a property, a witness, an index.
pub fn read_text(path: &Path) -> Result<String, Error> {
    text(path, TEXT).map_err(io(path))
}

fn io(path: &Path) -> impl Fn(std::io::Error) -> Error {
    move |error| Error::Io {
        path: path.into(),
        error,
    }
}
