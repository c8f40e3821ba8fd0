//! The header, which is believed only as far as the file is long.

use crate::cursor::Cursor;
use crate::error::Error;
use crate::model::Format;

/// How many variables a file may claim: far more than it can mention, far less than would hurt.
fn sparse_limit(file_size: usize) -> u64 {
    (16 * file_size as u64).clamp(1 << 20, (1 << 31) - 1)
}

/// The counts of the first line.
#[derive(Clone, Copy)]
pub(crate) struct Header {
    pub max_var: u32,
    pub inputs: u32,
    pub latches: u32,
    pub outputs: u32,
    pub ands: u32,
    pub bads: u32,
    pub constraints: u32,
    pub justice: u32,
    pub fairness: u32,
}

impl Header {
    /// Reads the line and holds its claims against the bytes that follow.
    pub fn read(cursor: &mut Cursor<'_>, format: Format) -> Result<Header, Error> {
        const FIELDS: [&str; 9] = [
            "the maximum variable M",
            "the number I of inputs",
            "the number L of latches",
            "the number O of outputs",
            "the number A of AND gates",
            "the number B of bad states",
            "the number C of constraints",
            "the number J of justice properties",
            "the number F of fairness constraints",
        ];
        for _ in 0..3 {
            cursor.next();
        }
        let mut n = [0; 9];
        for (i, what) in FIELDS.into_iter().enumerate() {
            if i >= 5 && cursor.peek() == Some(b'\n') {
                break;
            }
            cursor.space()?;
            n[i] = cursor.number(what)?;
        }
        let header = Header {
            max_var: n[0],
            inputs: n[1],
            latches: n[2],
            outputs: n[3],
            ands: n[4],
            bads: n[5],
            constraints: n[6],
            justice: n[7],
            fairness: n[8],
        };
        header.check(cursor, format)?;
        cursor.newline()?;
        Ok(header)
    }

    fn check(&self, cursor: &Cursor<'_>, format: Format) -> Result<(), Error> {
        let defined = [self.inputs, self.latches, self.ands];
        let defined: u64 = defined.into_iter().map(u64::from).sum();
        let max_var = u64::from(self.max_var);
        if defined > max_var || (format == Format::Binary && defined < max_var) {
            return Err(cursor.error(format!(
                "the header claims a maximum variable of {max_var}, but inputs, latches and gates \
                 add up to {defined}"
            )));
        }
        let mut entries = defined;
        for count in [
            self.outputs,
            self.bads,
            self.constraints,
            self.justice,
            self.fairness,
        ] {
            entries += u64::from(count);
        }
        if format == Format::Binary {
            entries -= u64::from(self.inputs);
        }
        // The shortest entry is a digit with its newline, or a gate of two one-byte deltas.
        if 2 * entries > cursor.remaining() as u64 {
            return Err(cursor.error(format!(
                "the header claims {entries} entries, but only {} bytes follow",
                cursor.remaining()
            )));
        }
        let limit = sparse_limit(cursor.len());
        if max_var > limit {
            return Err(Error::Limit {
                place: cursor.place(),
                what: "variables",
                claimed: max_var,
                limit,
                size: cursor.len(),
            });
        }
        Ok(())
    }
}
