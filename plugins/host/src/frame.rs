//! Frames: how messages stay apart on a pipe that a plugin may write to.
//!
//! A frame is sixteen bytes of header (magic, version, kind, length, checksum) and a payload. The
//! checksum is not against malice (a plugin in the worker's process could forge frames, and would
//! gain nothing: only certified answers count) but so that stray bytes are called what they are.

use std::io::{ErrorKind, Read, Write};

/// Begins every frame.
const MAGIC: u32 = 0x4652_5454;
/// Version of the protocol; both ends are one executable, so this guards against nothing but
/// an executable that was replaced while it ran.
const VERSION: u16 = 1;
/// No message is larger.
const MAX_LEN: u32 = 1 << 30;

/// Why no frame can be read.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// Other bytes than a frame begins with.
    #[error("{0:02x?} is not the beginning of a message")]
    Magic([u8; 4]),
    /// A frame of another version.
    #[error("a message of version {0}")]
    Version(u16),
    /// A frame that is too long.
    #[error("a message of {0} bytes")]
    TooLong(u32),
    /// The payload is not what was sent.
    #[error("a message with a wrong checksum")]
    Checksum,
    /// The stream ends within a frame.
    #[error("a message that ends after {0} bytes")]
    Truncated(usize),
    /// The payload does not mean anything.
    #[error("a message that cannot be read: {0}")]
    Payload(String),
    /// The pipe failed.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

/// FNV-1a, folded over words so that a program of many megabytes costs little.
fn checksum(bytes: &[u8]) -> u32 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
        hash = (hash ^ word)
            .wrapping_mul(0x0000_0100_0000_01b3)
            .rotate_left(23);
    }
    for &byte in chunks.remainder() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    (hash ^ (hash >> 32)) as u32
}

/// Writes one frame.
pub fn write(out: &mut impl Write, kind: u16, payload: &[u8]) -> std::io::Result<()> {
    let len = u32::try_from(payload.len()).ok().filter(|&n| n <= MAX_LEN);
    let len =
        len.ok_or_else(|| std::io::Error::new(ErrorKind::InvalidInput, "message too long"))?;
    let mut header = [0; 16];
    header[..4].copy_from_slice(&MAGIC.to_le_bytes());
    header[4..6].copy_from_slice(&VERSION.to_le_bytes());
    header[6..8].copy_from_slice(&kind.to_le_bytes());
    header[8..12].copy_from_slice(&len.to_le_bytes());
    header[12..].copy_from_slice(&checksum(payload).to_le_bytes());
    out.write_all(&header)?;
    out.write_all(payload)?;
    out.flush()
}

/// Reads one frame; `None` where the stream ends between frames.
pub fn read(input: &mut impl Read) -> Result<Option<(u16, Vec<u8>)>, FrameError> {
    let mut header = [0; 16];
    match fill(input, &mut header)? {
        0 => return Ok(None),
        16 => {}
        n => {
            let magic = [header[0], header[1], header[2], header[3]];
            return Err(if n >= 4 && magic != MAGIC.to_le_bytes() {
                FrameError::Magic(magic)
            } else {
                FrameError::Truncated(n)
            });
        }
    }
    let word = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("four bytes"));
    if word(0) != MAGIC {
        return Err(FrameError::Magic(
            header[..4].try_into().expect("four bytes"),
        ));
    }
    let version = word(4) as u16;
    if version != VERSION {
        return Err(FrameError::Version(version));
    }
    let kind = (word(4) >> 16) as u16;
    let len = word(8);
    if len > MAX_LEN {
        return Err(FrameError::TooLong(len));
    }
    // Not allocated at once: the length may be a lie.
    let mut payload = Vec::new();
    let read = input.take(u64::from(len)).read_to_end(&mut payload)?;
    if read < len as usize {
        return Err(FrameError::Truncated(16 + read));
    }
    if checksum(&payload) != word(12) {
        return Err(FrameError::Checksum);
    }
    Ok(Some((kind, payload)))
}

/// Reads until the buffer is full or the stream ends; how much was read.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(payload: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut bytes, 7, payload).expect("a vector takes everything");
        bytes
    }

    #[test]
    fn frames_arrive() {
        let payload: Vec<u8> = (0..1000).map(|n| n as u8).collect();
        let mut bytes = frame(&payload);
        bytes.extend(frame(b""));
        let mut input = &bytes[..];
        assert_eq!(read(&mut input).expect("a frame"), Some((7, payload)));
        assert_eq!(read(&mut input).expect("a frame"), Some((7, Vec::new())));
        assert_eq!(read(&mut input).expect("the end"), None);
    }

    /// Any changed byte of header or payload is noticed, but for the kind, which its reader knows.
    #[test]
    fn garbage_is_noticed() {
        let good = frame(b"a verdict of some length");
        for at in (0..good.len()).filter(|at| !(6..8).contains(at)) {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            assert!(read(&mut &bad[..]).is_err(), "byte {at}");
            if at > 0 {
                assert!(read(&mut &good[..at]).is_err(), "cut at {at}");
            }
        }
        let said = read(&mut &b"hello, world of plugins"[..]).unwrap_err();
        assert_eq!(
            said.to_string(),
            "[68, 65, 6c, 6c] is not the beginning of a message"
        );
    }
}
