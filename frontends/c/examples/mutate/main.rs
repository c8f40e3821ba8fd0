//! Mutations of C programs through the front end, for a while: `mutate DIR SECONDS [parse]`.
//! A crash ends the run with the text that caused it; so does a text that takes longer than ten
//! seconds. The same mutations drive the fuzz targets in `fuzz/`.

mod tokens;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use trellis_frontend_c::lower::Properties;
use trellis_frontend_c::program::{Options, check_texts, compile_texts};
use trellis_frontend_c::types::DataModel;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (Some(dir), Some(seconds)) = (args.get(1), args.get(2).and_then(|s| s.parse().ok())) else {
        eprintln!("usage: mutate DIR SECONDS [parse]");
        std::process::exit(2);
    };
    let parse_only = args.get(3).is_some_and(|a| a == "parse");
    let texts = tokens::corpus(std::path::Path::new(dir));
    let start = Instant::now();
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let (mut runs, mut accepted, mut slowest) = (0u64, 0u64, Duration::ZERO);
    while start.elapsed() < Duration::from_secs(seconds) {
        let bytes: Vec<u8> = (0..48)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state as u8
            })
            .collect();
        let text = tokens::mutate(&texts, &mut tokens::Choices(&bytes));
        let options = Options {
            model: if bytes[47] & 1 == 0 {
                DataModel::Ilp32
            } else {
                DataModel::Lp64
            },
            properties: if bytes[47] & 2 == 0 {
                Properties::REACH
            } else {
                Properties::ALL
            },
            ..Options::default()
        };
        let input = vec![("fuzz.c".to_owned(), text.clone().into_bytes())];
        let began = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| {
            if parse_only {
                check_texts(input, options.model).is_ok()
            } else {
                compile_texts(input, &options).is_ok_and(|c| {
                    trellis_ivl::verify::verify(&c.lowered.program)
                        .map_err(|e| panic!("ill-formed: {}", e.0[0]))
                        .is_ok()
                })
            }
        }));
        slowest = slowest.max(began.elapsed());
        runs += 1;
        match result {
            Ok(ok) if began.elapsed() < Duration::from_secs(10) => accepted += u64::from(ok),
            _ => {
                println!("{text}");
                eprintln!("run {runs}: crashed, or took {:?}", began.elapsed());
                std::process::exit(1);
            }
        }
    }
    println!("{runs} texts, {accepted} accepted, slowest {slowest:?}");
}
