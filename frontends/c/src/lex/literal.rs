//! Decoding of integer, character and string constants (C11 6.4.4, 6.4.5, GNU suffixes).

/// Element type of a character or string constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Encoding {
    /// No prefix, or `u8`: `char`.
    #[default]
    Narrow,
    /// `L`: `wchar_t` (int on x86 Linux).
    Wide,
    /// `u`: 16 bits.
    Utf16,
    /// `U`: 32 bits.
    Utf32,
}

/// An integer constant; its type follows from value, suffix and base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntLit {
    /// The value.
    pub value: u64,
    /// `u` suffix.
    pub unsigned: bool,
    /// Number of `l` in the suffix.
    pub longs: u8,
    /// Written in base ten.
    pub decimal: bool,
}

/// A character constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharLit {
    /// Its value as the constant's type has it.
    pub value: i32,
    /// Its prefix.
    pub encoding: Encoding,
}

/// A string literal, without the closing zero.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct StrLit {
    /// Element values.
    pub units: Vec<u32>,
    /// Its prefix.
    pub encoding: Encoding,
}

/// Whether a preprocessing number is a floating constant.
pub fn is_float(text: &str) -> bool {
    let hex = text.starts_with("0x") || text.starts_with("0X");
    text.contains('.')
        || if hex {
            text.contains(['p', 'P'])
        } else {
            text.contains(['e', 'E']) && !text.starts_with("0b")
        }
}

/// Decodes an integer constant.
pub fn integer(text: &str) -> Result<IntLit, String> {
    let lower = text.to_ascii_lowercase();
    let (base, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', ..] => (8, &lower[..]),
        _ => (10, &lower[..]),
    };
    let end = digits
        .find(|c: char| !c.is_digit(base))
        .unwrap_or(digits.len());
    let (number, suffix) = digits.split_at(end);
    if number.is_empty() {
        return Err(format!("invalid integer constant '{text}'"));
    }
    let (unsigned, longs) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        s if s.starts_with(|c: char| c.is_ascii_digit()) => {
            return Err(format!("invalid digit '{}' in constant '{text}'", &s[..1]));
        }
        s => return Err(format!("invalid suffix '{s}' on integer constant")),
    };
    let value = u64::from_str_radix(number, base)
        .map_err(|_| format!("integer constant '{text}' is too large for its type"))?;
    Ok(IntLit {
        value,
        unsigned,
        longs,
        decimal: base == 10,
    })
}

/// Decodes a character constant with its quotes and prefix. Several characters combine as gcc does.
pub fn character(text: &[u8]) -> Result<CharLit, String> {
    let (encoding, body) = split(text, b'\'');
    let units = unescape(body, encoding)?;
    let value = match (encoding, units.as_slice()) {
        (_, []) => return Err("empty character constant".into()),
        (Encoding::Narrow, [one]) => *one as u8 as i8 as i32,
        (Encoding::Narrow, many) => many.iter().fold(0i32, |v, u| (v << 8) | (*u as i32 & 0xff)),
        (_, many) => many[many.len() - 1] as i32,
    };
    Ok(CharLit { value, encoding })
}

/// Decodes a string literal with its quotes and prefix.
pub fn string(text: &[u8]) -> Result<StrLit, String> {
    let (encoding, body) = split(text, b'"');
    Ok(StrLit {
        units: unescape(body, encoding)?,
        encoding,
    })
}

fn split(text: &[u8], quote: u8) -> (Encoding, &[u8]) {
    let at = text.iter().position(|c| *c == quote).unwrap_or(0);
    let encoding = match &text[..at] {
        b"L" => Encoding::Wide,
        b"u" => Encoding::Utf16,
        b"U" => Encoding::Utf32,
        _ => Encoding::Narrow,
    };
    (encoding, &text[at + 1..text.len() - 1])
}

fn unescape(body: &[u8], encoding: Encoding) -> Result<Vec<u32>, String> {
    let mut units = Vec::with_capacity(body.len());
    let mut at = 0;
    while at < body.len() {
        if body[at] == b'\\' {
            at = escape(body, at + 1, encoding, &mut units)?;
        } else if encoding == Encoding::Narrow || body[at] < 0x80 {
            units.push(u32::from(body[at]));
            at += 1;
        } else {
            let width = body[at].leading_ones().clamp(1, 4) as usize;
            let end = (at + width).min(body.len());
            let c = std::str::from_utf8(&body[at..end])
                .ok()
                .and_then(|s| s.chars().next());
            push_char(
                c.map_or(u32::from(body[at]), u32::from),
                encoding,
                &mut units,
            );
            at = end;
        }
    }
    Ok(units)
}

fn push_char(c: u32, encoding: Encoding, units: &mut Vec<u32>) {
    match (encoding, char::from_u32(c)) {
        (Encoding::Narrow, Some(ch)) => {
            units.extend(ch.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
        }
        (Encoding::Utf16, Some(ch)) => {
            units.extend(ch.encode_utf16(&mut [0; 2]).iter().map(|u| u32::from(*u)));
        }
        _ => units.push(c),
    }
}

/// Decodes the escape whose letter is at `at`; the position after it.
fn escape(
    body: &[u8],
    at: usize,
    encoding: Encoding,
    units: &mut Vec<u32>,
) -> Result<usize, String> {
    let digits = |start: usize, base: u32, most: usize| {
        body[start..]
            .iter()
            .take(most)
            .take_while(|c| char::from(**c).is_digit(base))
            .count()
    };
    let number = |start: usize, len: usize, base: u32| {
        body[start..start + len].iter().fold(0u32, |v, c| {
            v.wrapping_mul(base) + char::from(*c).to_digit(base).unwrap_or(0)
        })
    };
    let mask = match encoding {
        Encoding::Narrow => 0xff,
        Encoding::Utf16 => 0xffff,
        _ => u32::MAX,
    };
    let simple = |c: u32, units: &mut Vec<u32>| {
        units.push(c);
        Ok(at + 1)
    };
    match body.get(at).copied() {
        None => Err("unterminated escape sequence".into()),
        Some(b'\n') => Ok(at + 1),
        Some(b'a') => simple(7, units),
        Some(b'b') => simple(8, units),
        Some(b'e' | b'E') => simple(27, units),
        Some(b'f') => simple(12, units),
        Some(b'n') => simple(10, units),
        Some(b'r') => simple(13, units),
        Some(b't') => simple(9, units),
        Some(b'v') => simple(11, units),
        Some(b'0'..=b'7') => {
            let n = digits(at, 8, 3);
            units.push(number(at, n, 8) & mask);
            Ok(at + n)
        }
        Some(b'x') => match digits(at + 1, 16, usize::MAX) {
            0 => Err("\\x used with no following hex digits".into()),
            n => {
                units.push(number(at + 1, n, 16) & mask);
                Ok(at + 1 + n)
            }
        },
        Some(c @ (b'u' | b'U')) => {
            let want = if c == b'u' { 4 } else { 8 };
            if digits(at + 1, 16, want) != want {
                return Err("incomplete universal character name".into());
            }
            push_char(number(at + 1, want, 16), encoding, units);
            Ok(at + 1 + want)
        }
        Some(c) => simple(u32::from(c), units),
    }
}
