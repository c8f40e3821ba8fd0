//! Bit-vector values against whole numbers: every operation as SMT-LIB defines it, computed without a bound on the size.
//! All values of up to 4 bits, and random ones and corners at widths around those of machine words.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::cmp::Ordering;
use trellis_ivl::Bv;
use trellis_ivl::rng::Rng;

/// Bits, least significant first.
type Bits = Vec<bool>;

const WIDTHS: [u32; 15] = [5, 8, 31, 32, 33, 61, 62, 63, 64, 65, 66, 67, 127, 128, 129];

/// Random bits.
struct Random(Rng);

impl Random {
    fn next(&mut self) -> u64 {
        self.0.bits()
    }

    /// Corners, small numbers, and whatever else.
    fn bits(&mut self, width: u32) -> Bits {
        let (kind, small) = (self.next() % 9, self.next() % u64::from(2 * width + 2));
        let last = width - 1;
        (0..width)
            .map(|i| match kind {
                0 => false,
                1 => true,
                2 => i == last,
                3 => i != last,
                4 => i == 0,
                5 => i < 64 && (small >> i) & 1 == 1,
                _ => self.next() % 2 == 1,
            })
            .collect()
    }
}

fn unsigned(bits: &[bool]) -> BigInt {
    let fold = |n: BigInt, &b: &bool| n * 2 + u32::from(b);
    bits.iter().rev().fold(BigInt::zero(), fold)
}

fn signed(bits: &[bool]) -> BigInt {
    let n = unsigned(bits);
    match bits.last() {
        Some(true) => n - power(bits.len() as u32),
        _ => n,
    }
}

fn power(n: u32) -> BigInt {
    (0..n).fold(BigInt::one(), |p, _| p * 2)
}

/// The lowest bits of a number in two's complement.
fn wrapped(n: &BigInt, width: u32) -> Bits {
    let mut n = n.mod_floor(&power(width));
    let mut bits = Vec::new();
    for _ in 0..width {
        bits.push(n.is_odd());
        n /= 2;
    }
    bits
}

fn bits_of(v: &Bv) -> Bits {
    (0..v.width()).map(|i| v.bit(i)).collect()
}

/// The floor of a quotient, rounded towards zero instead.
fn truncated(a: &BigInt, b: &BigInt) -> BigInt {
    let q = a.magnitude() / b.magnitude();
    match a.sign() == b.sign() {
        true => q.into(),
        false => -BigInt::from(q),
    }
}

/// Compares all operations on `a` and `b`, of equal widths.
fn compare(a: &[bool], b: &[bool]) {
    let width = a.len() as u32;
    let (x, y) = (Bv::from_bits(a), Bv::from_bits(b));
    assert_eq!((bits_of(&x), x.width()), (a.to_vec(), width));
    let (ua, ub, sa, sb) = (unsigned(a), unsigned(b), signed(a), signed(b));
    let zero = BigInt::zero();
    let same = |name: &str, found: &Bv, expected: Bits| {
        assert_eq!(found.width() as usize, expected.len(), "{name} {x} {y}");
        assert_eq!(bits_of(found), expected, "{name} {x} {y}");
        // One number has one form, whatever made it.
        assert_eq!(found, &Bv::from_bits(&expected), "{name} {x} {y}");
    };
    let number = |name: &str, found: &Bv, expected: &BigInt| {
        same(name, found, wrapped(expected, width));
    };
    let pairwise = |f: fn(bool, bool) -> bool| {
        let pairs = a.iter().zip(b);
        pairs.map(|(&a, &b)| f(a, b)).collect::<Bits>()
    };
    same("not", &x.not(), a.iter().map(|b| !b).collect());
    number("neg", &x.neg(), &-&ua);
    same("and", &x.and(&y), pairwise(|a, b| a & b));
    same("or", &x.or(&y), pairwise(|a, b| a | b));
    same("xor", &x.xor(&y), pairwise(|a, b| a ^ b));
    number("add", &x.add(&y), &(&ua + &ub));
    number("sub", &x.sub(&y), &(&ua - &ub));
    number("mul", &x.mul(&y), &(&ua * &ub));
    let by_zero = ub == zero;
    let minus_one = BigInt::from(-1);
    let quotient = if by_zero {
        minus_one.clone()
    } else {
        &ua / &ub
    };
    number("udiv", &x.udiv(&y), &quotient);
    number(
        "urem",
        &x.urem(&y),
        &if by_zero { ua.clone() } else { &ua % &ub },
    );
    let sdiv = match (by_zero, sa.sign()) {
        (true, Sign::Minus) => BigInt::one(),
        (true, _) => minus_one,
        (false, _) => truncated(&sa, &sb),
    };
    number("sdiv", &x.sdiv(&y), &sdiv);
    let srem = if by_zero {
        sa.clone()
    } else {
        &sa - truncated(&sa, &sb) * &sb
    };
    number("srem", &x.srem(&y), &srem);
    let smod = if by_zero {
        sa.clone()
    } else {
        sa.mod_floor(&sb)
    };
    number("smod", &x.smod(&y), &smod);
    let distance = ub.to_usize().unwrap_or(usize::MAX).min(a.len());
    let shifted = |fill: bool| -> Bits {
        let high = std::iter::repeat_n(fill, distance);
        a[distance..].iter().copied().chain(high).collect()
    };
    same("lshr", &x.lshr(&y), shifted(false));
    same("ashr", &x.ashr(&y), shifted(a[a.len() - 1]));
    let low = std::iter::repeat_n(false, distance);
    same(
        "shl",
        &x.shl(&y),
        low.chain(a[..a.len() - distance].iter().copied()).collect(),
    );
    assert_eq!(x.ucmp(&y), ua.cmp(&ub), "ucmp {x} {y}");
    assert_eq!(x.scmp(&y), sa.cmp(&sb), "scmp {x} {y}");
    let out = |n: &BigInt, from: &BigInt, to: &BigInt| n < from || n >= to;
    let out_unsigned = |n: BigInt| out(&n, &zero, &power(width));
    let half = power(width - 1);
    let out_signed = |n: BigInt| out(&n, &-&half, &half);
    assert_eq!(
        x.uadd_overflows(&y),
        out_unsigned(&ua + &ub),
        "uaddo {x} {y}"
    );
    assert_eq!(
        x.usub_overflows(&y),
        out_unsigned(&ua - &ub),
        "usubo {x} {y}"
    );
    assert_eq!(
        x.umul_overflows(&y),
        out_unsigned(&ua * &ub),
        "umulo {x} {y}"
    );
    assert_eq!(x.sadd_overflows(&y), out_signed(&sa + &sb), "saddo {x} {y}");
    assert_eq!(x.ssub_overflows(&y), out_signed(&sa - &sb), "ssubo {x} {y}");
    assert_eq!(x.smul_overflows(&y), out_signed(&sa * &sb), "smulo {x} {y}");
    same(
        "concat",
        &x.concat(&y),
        b.iter().chain(a).copied().collect(),
    );
}

/// Compares what changes the width, and all conversions.
fn convert(a: &[bool], rng: &mut Random) {
    let width = a.len() as u32;
    let x = Bv::from_bits(a);
    let (u, s) = (unsigned(a), signed(a));
    let lo = (rng.next() % u64::from(width)) as u32;
    let hi = lo + (rng.next() % u64::from(width - lo)) as u32;
    let slice = &a[lo as usize..=hi as usize];
    assert_eq!(x.extract(hi, lo), Bv::from_bits(slice), "{x} [{hi}:{lo}]");
    assert_eq!(x.extract(width - 1, 0), x);
    for more in [0, 1, 2, 30, 63, 64, 65] {
        let to = width + more;
        assert_eq!(x.zext(to), Bv::from_bits(&wrapped(&u, to)), "{x} zext {to}");
        assert_eq!(x.sext(to), Bv::from_bits(&wrapped(&s, to)), "{x} sext {to}");
    }
    let magnitude = u.magnitude().clone();
    assert_eq!(
        (x.to_biguint(), x.to_bigint()),
        (magnitude.clone(), s.clone())
    );
    assert_eq!((x.to_u64(), x.to_i64()), (u.to_u64(), s.to_i64()), "{x}");
    assert_eq!(Bv::from_biguint(width, magnitude.clone()), x);
    assert_eq!(Bv::from_bigint(width, &s), x);
    // Numbers that do not fit, on both sides.
    let above = &magnitude + (BigUint::one() << width) * 3u32;
    assert_eq!(Bv::from_biguint(width, above), x);
    assert_eq!(Bv::from_bigint(width, &(s - power(width) * 5)), x);
    let word = u.to_u64().unwrap_or_else(|| rng.next());
    assert_eq!(bits_of(&Bv::new(width, word)), wrapped(&word.into(), width));
    let word = word as i64;
    assert_eq!(
        bits_of(&Bv::from_i64(width, word)),
        wrapped(&word.into(), width)
    );
    assert_eq!(
        bits_of(&Bv::from_i64(width, !word)),
        wrapped(&(!word).into(), width)
    );
    assert_eq!(x.is_zero(), a.iter().all(|b| !b));
    assert_eq!(x.is_one(), u.is_one());
    assert_eq!(x.is_ones(), a.iter().all(|&b| b));
    assert_eq!(x.is_negative(), a[a.len() - 1]);
    assert!(!x.bit(width) && !x.bit(width + 64), "no bits above {x}");
    assert_eq!(format!("{x} {x:?}"), format!("{u}bv{width} {u}bv{width}"));
}

fn constants(width: u32) {
    let last = width as usize - 1;
    let bits = |f: &dyn Fn(usize) -> bool| (0..width as usize).map(f).collect::<Bits>();
    assert_eq!(bits_of(&Bv::zero(width)), bits(&|_| false));
    assert_eq!(bits_of(&Bv::one(width)), bits(&|i| i == 0));
    assert_eq!(bits_of(&Bv::ones(width)), bits(&|_| true));
    assert_eq!(bits_of(&Bv::min_signed(width)), bits(&|i| i == last));
}

#[test]
fn all_values_of_few_bits() {
    let rng = &mut Random(Rng::new(1));
    for width in 1..=4 {
        constants(width);
        for a in 0..1u32 << width {
            let a = wrapped(&a.into(), width);
            convert(&a, rng);
            for b in 0..1u32 << width {
                compare(&a, &wrapped(&b.into(), width));
            }
        }
    }
}

#[test]
fn values_around_machine_words() {
    let rng = &mut Random(Rng::new(2));
    for width in WIDTHS {
        constants(width);
        for _ in 0..300 {
            let (a, b) = (rng.bits(width), rng.bits(width));
            compare(&a, &b);
            compare(&a, &a);
            convert(&a, rng);
        }
    }
}

/// The sides of a concatenation may be of any widths, and so may values that are ordered.
#[test]
fn sides_of_different_widths() {
    let rng = &mut Random(Rng::new(3));
    for _ in 0..2_000 {
        let [a, b] = [0, 1].map(|_| {
            let width = 1 + (rng.next() % 80) as u32;
            rng.bits(width)
        });
        let (x, y) = (Bv::from_bits(&a), Bv::from_bits(&b));
        let both: Bits = b.iter().chain(&a).copied().collect();
        assert_eq!(x.concat(&y), Bv::from_bits(&both), "{x} {y}");
        let equal = x.cmp(&y) == Ordering::Equal;
        assert_eq!(equal, a == b, "{x} {y}");
    }
}

#[test]
#[should_panic(expected = "at least one bit")]
fn nothing_has_no_bits() {
    Bv::new(0, 0);
}
