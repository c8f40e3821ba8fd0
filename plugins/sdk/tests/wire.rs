//! What crosses arrives: random programs, traces and certificates, and streams that somebody broke.

use trellis_ivl::{Bv, Input, Script, Type, Value, Var, text};
use trellis_ivl_testing::{Rng, Shape, explore, generate};
use trellis_plugin_abi::words as w;
use trellis_plugin_sdk::wire::{image, verdict};
use trellis_plugin_sdk::{Certificate, Lemma, LemmaKind};

fn programs(count: u64) -> impl Iterator<Item = trellis_ivl::Program> {
    (0..count).map(|seed| {
        let mut rng = Rng::new(seed);
        generate::program(&mut rng, Shape::TINY)
    })
}

#[test]
fn programs_arrive_unchanged() {
    for program in programs(300) {
        let arrived = image::read(&image::write(&program)).expect("a fresh image is readable");
        assert_eq!(text::print(&program), text::print(&arrived));
    }
}

/// A program whose edge assigns `e` to a `bv8`, or why the text is refused.
fn assigning(e: &str) -> Result<trellis_ivl::Program, String> {
    let source = format!(
        "var x: bv8; var m: [bv1]bv8; var z: bv8;
         proc main {{ loc l0 entry; l0 -> l0 {{ z := {e} }}; }}"
    );
    text::parse(&source).map_err(|e| e.to_string())
}

/// What does nothing is well-formed everywhere, and crosses as it is written.
#[test]
fn terms_that_do_nothing_are_terms() {
    for e in [
        "zext(x, 8)",
        "sext(x, 8)",
        "x[7:0]",
        "x << 0bv8",
        "1bv8 + 2bv8",
        "ite(true, x, z)",
        "sext(zext(x[3:0], 4), 8)",
        "const([bv1]bv8, x)[0bv1]",
    ] {
        let program = assigning(e).unwrap_or_else(|why| panic!("{e}: {why}"));
        trellis_ivl::verify::verify(&program).unwrap_or_else(|why| panic!("{e}: {why}"));
        let printed = text::print(&program);
        assert!(printed.contains(&format!("z := {e} ")), "{e}: {printed}");
        let arrived = image::read(&image::write(&program)).expect("a fresh image is readable");
        assert_eq!(printed, text::print(&arrived));
    }
}

/// What has no bits or loses some is none, in the text and in the image.
#[test]
fn terms_without_bits_are_refused() {
    for e in [
        "zext(x, 7)",
        "sext(x, 0)",
        "x[0:1]",
        "x[8:1]",
        "repeat(x, 0)",
    ] {
        assert!(assigning(e).is_err(), "{e}");
    }
    // The nodes of terms end with their parameters: the width, both bounds, the width of the index.
    for (e, operation, good, bad) in [
        ("zext(x[4:2], 8)", w::TRELLIS_OP_ZERO_EXT, vec![8], vec![2]),
        ("sext(x[4:2], 8)", w::TRELLIS_OP_SIGN_EXT, vec![8], vec![0]),
        (
            "zext(x[4:2], 8)",
            w::TRELLIS_OP_EXTRACT,
            vec![4, 2],
            vec![1, 2],
        ),
        (
            "zext(x[4:2], 8)",
            w::TRELLIS_OP_EXTRACT,
            vec![4, 2],
            vec![8, 6],
        ),
        (
            "const([bv3]bv8, x)[5bv3]",
            w::TRELLIS_OP_CONST_ARRAY,
            vec![3],
            vec![0],
        ),
    ] {
        let mut image = image::write(&assigning(e).expect("well-formed"));
        let len = good.len();
        let at = (0..image.len() - len - 1)
            .find(|&i| image[i] == operation && image[i + 2..i + 2 + len] == good)
            .unwrap_or_else(|| panic!("{e}: its node is not in the image"));
        image[at + 2..at + 2 + len].copy_from_slice(&bad);
        assert!(image::read(&image).is_err(), "{e} with {bad:?}");
    }
}

#[test]
fn verdicts_arrive_unchanged() {
    for visits in [0, 7, u32::MAX] {
        let words = verdict::write_unwinding(visits);
        assert_eq!(verdict::read_unwinding(&words), Ok(visits));
    }
    assert!(verdict::read_unwinding(&[]).is_err());
    assert!(verdict::read_unwinding(&[1, 2]).is_err());
    let input = Input::from_u32(3);
    let script = Script {
        initial: [(Var::from_u32(1), Value::Bool(true))].into(),
        inputs: vec![
            (input, Value::Bv(Bv::new(7, 9))),
            (input, Value::zero(Type::Bool)),
        ],
        picks: vec![(2, 1), (0, u64::MAX)],
        steps: 1 << 40,
    };
    let words = verdict::write_script(&script);
    assert_eq!(verdict::read_script(&words), Ok(script));
    for len in 0..words.len() {
        assert!(verdict::read_script(&words[..len]).is_err(), "{len} words");
    }
    let mut certificates = 0;
    for mut program in programs(60) {
        let flat = program.is_flat();
        let Some(reachable) = flat.then(|| explore(&program, 2000)).flatten() else {
            continue;
        };
        for trace in reachable.targets(&program).into_values() {
            let words = verdict::write_trace(&trace);
            assert_eq!(verdict::read_trace(&words).as_ref(), Ok(&trace));
        }
        let certificate = Certificate {
            invariants: reachable.invariants(&mut program),
            k: Some(3),
            ..Certificate::default()
        };
        let words = verdict::write_certificate(&program.pool, &certificate);
        let arrived = verdict::read_certificate(&mut program, &words);
        assert_eq!(arrived.as_ref(), Ok(&certificate));
        let lemmas: Vec<Lemma> = certificate
            .invariants
            .iter()
            .map(|(&loc, &term)| Lemma {
                loc,
                term,
                kind: LemmaKind::Bounded(7),
            })
            .collect();
        let words = verdict::write_lemmas(&program.pool, &lemmas);
        assert_eq!(verdict::read_lemmas(&mut program, &words), Ok(lemmas));
        certificates += 1;
    }
    assert!(
        certificates > 10,
        "the generator made {certificates} small programs"
    );
}

/// Every stream with one word changed or its end cut off is read or refused, never a panic.
#[test]
fn broken_streams_are_refused() {
    let mut rng = Rng::new(1);
    let (mut read, mut refused) = (0, 0);
    for program in programs(40) {
        let image = image::write(&program);
        for _ in 0..100 {
            let mut broken = image.clone();
            if rng.chance(20) {
                broken.truncate(rng.below(image.len()));
            } else {
                let at = rng.below(image.len());
                broken[at] = match rng.below(4) {
                    0 => u32::MAX,
                    1 => rng.bits() as u32,
                    2 => broken[at].wrapping_add(1),
                    _ => rng.below(12) as u32,
                };
            }
            match image::read(&broken) {
                Ok(_) => read += 1,
                Err(_) => refused += 1,
            }
            let mut scratch = program.clone();
            let _ = verdict::read_trace(&broken);
            let _ = verdict::read_certificate(&mut scratch, &broken);
            let _ = verdict::read_lemmas(&mut scratch, &broken);
        }
    }
    assert!(
        read > 100 && refused > 1000,
        "{read} read, {refused} refused"
    );
}

/// The capabilities of the header are those of the traits.
#[test]
fn capabilities_have_their_numbers() {
    use trellis_plugin_abi as abi;
    use trellis_solver_api::Capabilities;
    for (number, capability) in [
        (abi::TRELLIS_CAN_UNSAT_CORE, Capabilities::UNSAT_CORE),
        (abi::TRELLIS_CAN_INTERRUPT, Capabilities::INTERRUPT),
        (abi::TRELLIS_CAN_TIME_LIMIT, Capabilities::TIME_LIMIT),
        (
            abi::TRELLIS_CAN_CONFLICT_LIMIT,
            Capabilities::CONFLICT_LIMIT,
        ),
        (abi::TRELLIS_CAN_PHASE_HINTS, Capabilities::PHASE_HINTS),
        (abi::TRELLIS_CAN_PUSH_POP, Capabilities::PUSH_POP),
        (abi::TRELLIS_CAN_MODELS, Capabilities::MODELS),
        (abi::TRELLIS_CAN_ARRAYS, Capabilities::ARRAYS),
        (
            abi::TRELLIS_CAN_ARRAY_EQUALITY,
            Capabilities::ARRAY_EQUALITY,
        ),
        (abi::TRELLIS_CAN_INTERPOLATION, Capabilities::INTERPOLATION),
        (
            abi::TRELLIS_CAN_MODEL_GENERALIZATION,
            Capabilities::MODEL_GENERALIZATION,
        ),
        (abi::TRELLIS_CAN_DETERMINISTIC, Capabilities::DETERMINISTIC),
    ] {
        assert_eq!(number, capability.bits(), "{capability}");
    }
}
