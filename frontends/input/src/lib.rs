//! Reads files that users name, or that files of others name: regular ones, up to a limit.
//!
//! A path may come from a task file, a line marker or a set of tasks that somebody else wrote. What it names
//! may be a pipe that nobody writes to, a device that never ends, or simply too much. So every reader of such a
//! path goes through [`bytes`] or [`text`]; nothing waits for a writer, and no more than the limit is ever held.
//!
//! Errors are the system's, so that callers say which file in their own words.
//!
//! Deliberately absent: formats, search paths, and any file that Trellis itself wrote a moment ago.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

/// The most that a program, a model or a certificate may have.
pub const PROGRAM: u64 = 1 << 30;
/// The most that a task, a property, a pipeline, a witness or an index may have.
pub const TEXT: u64 = 64 << 20;

/// The bytes of a regular file that has at most `limit` of them.
pub fn bytes(path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    let file = open(path)?;
    let size = file.metadata()?.len();
    if size > limit {
        return Err(too_large(limit));
    }
    // What grows while it is read, or does not tell its size, is limited all the same.
    bounded(file, limit)
}

/// The same as text.
pub fn text(path: &Path, limit: u64) -> Result<String, Error> {
    let not_text = |e| Error::new(ErrorKind::InvalidData, format!("not UTF-8 text: {e}"));
    String::from_utf8(bytes(path, limit)?).map_err(not_text)
}

/// All of a stream, such as standard input, that has at most `limit` bytes.
pub fn bounded(stream: impl Read, limit: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    stream.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(too_large(limit)),
        false => Ok(bytes),
    }
}

/// Which file this is, whatever it is called: links to it have the same identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// Of a regular file that is there.
    pub fn of(path: &Path) -> Option<Identity> {
        let found: Metadata = std::fs::metadata(path).ok()?;
        found.is_file().then(|| Identity {
            device: found.dev(),
            inode: found.ino(),
        })
    }
}

/// Opens a file without waiting for anybody, and looks at what was opened: a name may mean something else a
/// moment later.
fn open(path: &Path) -> Result<File, Error> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path)?;
    let kind = file.metadata()?.file_type();
    match kind.is_file() {
        true => Ok(file),
        false => Err(Error::other(format!(
            "{}, not a regular file",
            describe(kind)
        ))),
    }
}

fn describe(kind: FileType) -> &'static str {
    if kind.is_dir() {
        "a folder"
    } else if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

fn too_large(limit: u64) -> Error {
    let text = match limit >> 20 {
        0 => format!("larger than {limit} bytes, which is the limit here"),
        mebi => format!("larger than {mebi} MiB, which is the limit here"),
    };
    Error::new(ErrorKind::FileTooLarge, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_up_to_the_limit_are_read() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("file");
        std::fs::write(&file, "12345").expect("written");
        let fifo = dir.path().join("fifo");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status();
        assert!(made.is_ok_and(|s| s.success()), "mkfifo works");
        let _socket =
            std::os::unix::net::UnixListener::bind(dir.path().join("socket")).expect("bound");
        let said = |path: &Path, limit| match text(path, limit) {
            Ok(text) => text,
            Err(e) => e.to_string(),
        };
        assert_eq!(said(&file, 5), "12345");
        assert_eq!(
            said(&file, 4),
            "larger than 4 bytes, which is the limit here"
        );
        assert_eq!(said(&fifo, 5), "a pipe, not a regular file");
        assert_eq!(said(dir.path(), 5), "a folder, not a regular file");
        assert_eq!(
            said(Path::new("/dev/zero"), 5),
            "a device, not a regular file"
        );
        assert!(bytes(&dir.path().join("socket"), 5).is_err());
        assert!(bytes(&dir.path().join("nowhere"), 5).is_err());
        std::fs::write(&file, [0xff]).expect("written");
        assert!(said(&file, 5).starts_with("not UTF-8 text"));
        assert!(bounded(std::io::repeat(0), 1 << 20).is_err());
        assert_eq!(
            bounded(&[1, 2][..], 2).expect("short enough"),
            [1, 2].to_vec()
        );
    }

    #[test]
    fn links_are_the_same_file() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = |name: &str| dir.path().join(name);
        std::fs::write(path("file"), "").expect("written");
        std::fs::write(path("other"), "").expect("written");
        std::fs::hard_link(path("file"), path("hard")).expect("linked");
        std::os::unix::fs::symlink("file", path("soft")).expect("linked");
        let all = ["file", "hard", "soft", "other"].map(|n| Identity::of(&path(n)));
        assert!(all[0].is_some() && all[0] == all[1] && all[0] == all[2]);
        assert_ne!(all[0], all[3]);
        assert_eq!(Identity::of(&path("nowhere")), None);
        assert_eq!(Identity::of(dir.path()), None);
    }
}
