//! Operations on words.

use super::instr::Code;

#[inline]
pub(super) fn mask(word: u64, shift: u8) -> u64 {
    word & (u64::MAX >> (shift & 63))
}

#[inline]
pub(super) fn signed(word: u64, shift: u8) -> i64 {
    ((word << (shift & 63)) as i64) >> (shift & 63)
}

/// Operations with more than one case, as [`Bv`](crate::Bv) defines them.
pub(super) fn arithmetic(code: Code, a: u64, b: u64, s: u8) -> u64 {
    let width = 64 - u32::from(s);
    let (x, y) = (i128::from(signed(a, s)), i128::from(signed(b, s)));
    let (least, most) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
    let is_out = |exact: i128| u64::from(exact < least || exact > most);
    match code {
        Code::Udiv => a.checked_div(b).unwrap_or(mask(u64::MAX, s)),
        Code::Urem => a.checked_rem(b).unwrap_or(a),
        Code::Sdiv if b == 0 => mask(if x < 0 { 1 } else { u64::MAX }, s),
        Code::Sdiv => mask((x / y) as u64, s),
        Code::Srem if b == 0 => a,
        Code::Srem => mask((x % y) as u64, s),
        Code::Smod if b == 0 => a,
        Code::Smod => {
            let r = x % y;
            mask(
                if r != 0 && (r < 0) != (y < 0) {
                    r + y
                } else {
                    r
                } as u64,
                s,
            )
        }
        Code::Shl if b >= u64::from(width) => 0,
        Code::Shl => mask(a << b, s),
        Code::Lshr if b >= u64::from(width) => 0,
        Code::Lshr => a >> b,
        Code::Ashr => mask((signed(a, s) >> b.min(63)) as u64, s),
        Code::Uaddo => u64::from(u128::from(a) + u128::from(b) > u128::from(mask(u64::MAX, s))),
        Code::Saddo => is_out(x + y),
        Code::Usubo => u64::from(a < b),
        Code::Ssubo => is_out(x - y),
        Code::Umulo => u64::from(u128::from(a) * u128::from(b) > u128::from(mask(u64::MAX, s))),
        _ => is_out(x * y),
    }
}
