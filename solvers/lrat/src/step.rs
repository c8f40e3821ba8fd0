//! The steps of a proof, and its binary form (as CaDiCaL, lrat-trim and others write it), read piece by piece: a proof
//! can be checked while the solver is writing it and need not be kept.
//!
//! A step is `a`, the number of the new clause, its literals, 0, its hints, 0; or `d`, the numbers of clauses that are
//! no longer needed, 0. A number n is written as 2n, a negative one as 2|n| + 1, seven bits per byte from the lowest
//! on, with the high bit set where more follow.

use crate::check::Rejection;

/// One step of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// A clause that follows.
    Add {
        /// Its number.
        id: u64,
        /// Its literals.
        clause: &'a [i32],
        /// Which clauses become unit in turn, the last one empty, when all literals of the clause are false.
        hints: &'a [i64],
    },
    /// Clauses that are not used any more.
    Delete {
        /// Their numbers.
        ids: &'a [u64],
    },
}

/// Reads the binary form.
#[derive(Debug, Default)]
pub struct BinaryReader {
    /// The beginning of a step whose end has not come yet.
    open: Vec<u8>,
    /// The step being read, to be reused.
    clause: Vec<i32>,
    hints: Vec<i64>,
    ids: Vec<u64>,
}

/// Why a step cannot be read.
enum Stop {
    /// The rest has not come yet.
    Incomplete,
    Malformed(&'static str),
}

impl BinaryReader {
    /// Reads the steps that end in `bytes`, and gives each to `take`.
    pub fn read<E: From<Rejection>>(
        &mut self,
        bytes: &[u8],
        mut take: impl FnMut(Step<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut open = std::mem::take(&mut self.open);
        let mut rest = bytes;
        if !open.is_empty() {
            open.extend_from_slice(bytes);
            rest = &open;
        }
        loop {
            let mut cursor = rest;
            match self.step(&mut cursor) {
                Ok(Some(step)) => take(step)?,
                Ok(None) => break,
                Err(Stop::Incomplete) => {
                    self.open = rest.to_vec();
                    break;
                }
                Err(Stop::Malformed(why)) => return Err(Rejection::Malformed(why).into()),
            }
            rest = cursor;
        }
        Ok(())
    }

    /// Bytes of a step whose end has not come yet.
    pub fn open_bytes(&self) -> usize {
        self.open.len()
    }

    /// The next step; none at the end.
    fn step(&mut self, cursor: &mut &[u8]) -> Result<Option<Step<'_>>, Stop> {
        let Some((&kind, rest)) = cursor.split_first() else {
            return Ok(None);
        };
        *cursor = rest;
        match kind {
            b'a' => {
                let id = id(number(cursor)?)?;
                self.clause.clear();
                while let Some(n) = item(cursor)? {
                    let lit = i32::try_from(n).map_err(|_| Stop::Malformed("a literal too large"));
                    self.clause.push(lit?);
                }
                self.hints.clear();
                while let Some(hint) = item(cursor)? {
                    self.hints.push(hint);
                }
                Ok(Some(Step::Add {
                    id,
                    clause: &self.clause,
                    hints: &self.hints,
                }))
            }
            b'd' => {
                self.ids.clear();
                while let Some(n) = item(cursor)? {
                    self.ids.push(id(n)?);
                }
                Ok(Some(Step::Delete { ids: &self.ids }))
            }
            _ => Err(Stop::Malformed("a step that is neither `a` nor `d`")),
        }
    }
}

/// A number that is not the end of a list.
fn item(cursor: &mut &[u8]) -> Result<Option<i64>, Stop> {
    Ok(Some(number(cursor)?).filter(|&n| n != 0))
}

fn id(n: i64) -> Result<u64, Stop> {
    match u64::try_from(n) {
        Ok(id) if id > 0 => Ok(id),
        _ => Err(Stop::Malformed("a clause number that is not positive")),
    }
}

fn number(cursor: &mut &[u8]) -> Result<i64, Stop> {
    let mut code = 0u64;
    for shift in (0..).step_by(7) {
        let Some((&byte, rest)) = cursor.split_first() else {
            return Err(Stop::Incomplete);
        };
        *cursor = rest;
        let bits = u64::from(byte & 0x7f);
        if shift > 63 || (bits << shift) >> shift != bits {
            return Err(Stop::Malformed("a number too large"));
        }
        code |= bits << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    // At most 63 bits are left.
    let size = (code >> 1) as i64;
    if code == 1 {
        return Err(Stop::Malformed("a negative zero"));
    }
    Ok(if code & 1 == 1 { -size } else { size })
}

/// Appends the binary form of a step.
pub fn write_binary(step: Step<'_>, out: &mut Vec<u8>) {
    match step {
        Step::Add { id, clause, hints } => {
            out.push(b'a');
            write_number(id as i64, out);
            for &lit in clause {
                write_number(i64::from(lit), out);
            }
            out.push(0);
            for &hint in hints {
                write_number(hint, out);
            }
        }
        Step::Delete { ids } => {
            out.push(b'd');
            for &id in ids {
                write_number(id as i64, out);
            }
        }
    }
    out.push(0);
}

fn write_number(n: i64, out: &mut Vec<u8>) {
    let mut code = 2 * n.unsigned_abs() + u64::from(n < 0);
    while code > 0x7f {
        out.push(code as u8 | 0x80);
        code >>= 7;
    }
    out.push(code as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: [Step<'static>; 4] = [
        Step::Add {
            id: 7,
            clause: &[1, -300_000],
            hints: &[1, 2, 400],
        },
        Step::Delete { ids: &[1, 1 << 40] },
        Step::Delete { ids: &[] },
        Step::Add {
            id: 1 << 40,
            clause: &[],
            hints: &[-3, 7],
        },
    ];

    fn shown(bytes: &[u8], piece: usize) -> Result<Vec<String>, Rejection> {
        let (mut reader, mut found) = (BinaryReader::default(), Vec::new());
        for piece in bytes.chunks(piece) {
            reader.read(piece, |step| {
                found.push(format!("{step:?}"));
                Ok::<(), Rejection>(())
            })?;
        }
        if reader.open_bytes() > 0 {
            found.push("open".into());
        }
        Ok(found)
    }

    #[test]
    fn steps_come_back_in_pieces_of_any_size() {
        let mut bytes = Vec::new();
        for step in STEPS {
            write_binary(step, &mut bytes);
        }
        let expected: Vec<String> = STEPS.iter().map(|s| format!("{s:?}")).collect();
        for piece in 1..=bytes.len() {
            assert_eq!(shown(&bytes, piece), Ok(expected.clone()), "{piece}");
        }
        let mut cut = expected;
        *cut.last_mut().expect("there are steps") = "open".into();
        assert_eq!(shown(&bytes[..bytes.len() - 1], 3), Ok(cut));
    }

    #[test]
    fn malformed_bytes_are_told() {
        let cases: [(&[u8], &str); 6] = [
            (b"x", "a step that is neither `a` nor `d`"),
            (b"a\x00", "a clause number that is not positive"),
            (b"a\x03", "a clause number that is not positive"),
            (b"d\x01", "a negative zero"),
            (
                b"d\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02",
                "a number too large",
            ),
            (b"a\x02\xff\xff\xff\xff\x7f\x00\x00", "a literal too large"),
        ];
        for (bytes, why) in cases {
            assert_eq!(shown(bytes, 1), Err(Rejection::Malformed(why)));
        }
    }
}
