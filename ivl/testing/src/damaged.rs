//! Files as a reader may get them from anybody.

use trellis_ivl::rng::Rng;

/// A file with a few random changes: bytes replaced, removed, inserted or doubled, some of `tokens` put in, the end cut
/// off.
pub fn damaged(file: &[u8], tokens: &[&str], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = file.to_vec();
    let changes = if rng.chance(50) { 1 } else { 1 + rng.below(4) };
    for _ in 0..changes {
        let at = rng.below(bytes.len() + 1);
        let to = (at + rng.below(12)).min(bytes.len());
        match rng.below(7) {
            0 if rng.chance(25) => bytes.truncate(at),
            1 => drop(bytes.drain(at..to)),
            2 => bytes.insert(at, rng.bits() as u8),
            3 => drop(bytes.splice(at..at, rng.pick(tokens).bytes())),
            4 => {
                let copy = bytes[at..to].to_vec();
                bytes.splice(at..at, copy);
            }
            5 if at < bytes.len() => bytes[at] = b'0' + rng.below(10) as u8,
            _ if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            _ => {}
        }
    }
    bytes
}
