//! What crosses arrives: random programs, traces and certificates, and streams that somebody broke.

use trellis_ivl::text;
use trellis_ivl_testing::{Rng, Shape, explore, generate};
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

#[test]
fn verdicts_arrive_unchanged() {
    for visits in [0, 7, u32::MAX] {
        let words = verdict::write_unwinding(visits);
        assert_eq!(verdict::read_unwinding(&words), Ok(visits));
    }
    assert!(verdict::read_unwinding(&[]).is_err());
    assert!(verdict::read_unwinding(&[1, 2]).is_err());
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
