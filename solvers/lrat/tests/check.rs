//! One proof per way to be wrong, and its right neighbour; and long proofs whose clauses come and go.

use trellis_solver_lrat::{Checker, Formula, Rejection, text};

/// All four clauses over two variables.
const SQUARE: [&[i32]; 4] = [&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]];

fn formula(clauses: &[&[i32]]) -> Formula {
    let mut formula = Formula::default();
    for clause in clauses {
        formula.add_clause(clause.iter().copied());
    }
    formula
}

fn check_within(limit: usize, clauses: &[&[i32]], proof: &str) -> Result<(), Rejection> {
    let mut checker = Checker::new(&formula(clauses), limit)?;
    text::read_proof(proof, |step| checker.take(step))?;
    checker.conclude()
}

fn check(clauses: &[&[i32]], proof: &str) -> Result<(), Rejection> {
    check_within(1 << 20, clauses, proof)
}

#[test]
fn each_step_has_to_follow() {
    assert_eq!(check(&SQUARE, "5 1 0 1 2 0\n6 0 5 3 4 0"), Ok(()));
    assert_eq!(check(&SQUARE, "5 1 1 0 1 2 0\n6 0 5 3 4 0"), Ok(()));
    // Numbers may be left out, clauses deleted, and after the empty clause nothing matters.
    let proof = "9 1 0 1 2 0\n9 d 1 2 0\n12 2 0 9 3 0\n20 0 12 9 4 0\n20 d 99 0\n1 7 0 0";
    assert_eq!(check(&SQUARE, proof), Ok(()));
    let clause = |id| Some(id);
    for (proof, why) in [
        ("", Rejection::Unfinished),
        ("5 1 0 1 2 0", Rejection::Unfinished),
        ("4 1 0 1 2 0", Rejection::Order { id: 4 }),
        ("5 1 0 1 2 0\n5 0 5 3 4 0", Rejection::Order { id: 5 }),
        ("5 3 0 1 2 0", Rejection::Literal { id: 5, lit: 3 }),
        ("5 -3 0 1 2 0", Rejection::Literal { id: 5, lit: -3 }),
        ("5 1 -1 0 1 2 0", Rejection::Tautology { id: 5 }),
        (
            "5 1 0 1 7 0",
            Rejection::Missing {
                id: clause(5),
                hint: 7,
            },
        ),
        (
            "5 1 0 1 5 0",
            Rejection::Missing {
                id: clause(5),
                hint: 5,
            },
        ),
        (
            "5 1 0 -1 2 0",
            Rejection::Missing {
                id: clause(5),
                hint: -1,
            },
        ),
        (
            "5 d 2 0\n5 1 0 1 2 0",
            Rejection::Missing {
                id: clause(5),
                hint: 2,
            },
        ),
        ("5 d 2 2 0", Rejection::Missing { id: None, hint: 2 }),
        ("5 d 5 0", Rejection::Missing { id: None, hint: 5 }),
        ("5 0 1 2 0", Rejection::NotUnit { id: 5, hint: 1 }),
        ("5 1 0 0", Rejection::NoConflict { id: 5 }),
        ("5 1 0 1 0", Rejection::NoConflict { id: 5 }),
        // A clause that is already true makes nothing else so.
        ("5 1 0 1 1 0", Rejection::NoConflict { id: 5 }),
        ("5 1 0 3 0", Rejection::NotUnit { id: 5, hint: 3 }),
    ] {
        assert_eq!(check(&SQUARE, proof), Err(why), "{proof}");
    }
    // No literal is missing from a clause that has none.
    assert_eq!(check(&[&[1], &[]], ""), Ok(()));
    assert_eq!(check(&[&[1]], ""), Err(Rejection::Unfinished));
    assert_eq!(check(&[&[1], &[-1]], "3 0 1 2 0"), Ok(()));
}

/// A number may be as large as its digits allow, and is refused before memory is asked for.
#[test]
fn memory_is_limited() {
    let too_large = |limit| Err(Rejection::Memory { limit });
    for id in [
        1 << 18,
        1 << 40,
        (1 << 62) - 1,
        1 << 62,
        i64::MAX as u64,
        u64::MAX,
    ] {
        let proof = format!("{id} 1 0 1 2 0");
        assert_eq!(check(&SQUARE, &proof), too_large(1 << 20), "{id}");
    }
    assert_eq!(check_within(64, &SQUARE, ""), too_large(64));
    assert_eq!(check_within(68, &SQUARE, ""), Err(Rejection::Unfinished));
    assert_eq!(check_within(68, &SQUARE, "5 1 0 1 2 0"), too_large(68));
}

/// Clauses that are moved together stay what they are.
#[test]
fn deleted_clauses_make_room() {
    let mut proof = String::from("5 1 0 1 2 0\n6 2 0 1 3 0\n");
    for id in 7..60_007 {
        proof += &format!("{id} 1 2 0 1 0\n");
        if id > 10 {
            proof += &format!("{id} d {} 0\n", id - 3);
        }
    }
    // The last three are there, those before are not, and the first two still say what they did.
    for gone in [7 + 1, 30_000, 60_003] {
        let wrong = format!("{proof}70000 1 2 0 {gone} 0");
        let missing = Rejection::Missing {
            id: Some(70_000),
            hint: gone,
        };
        assert_eq!(check(&SQUARE, &wrong), Err(missing), "{gone}");
    }
    for there in [1, 60_004, 60_006] {
        let right = format!("{proof}70000 1 2 0 {there} 0\n70001 0 5 6 4 0");
        assert_eq!(check(&SQUARE, &right), Ok(()), "{there}");
    }
    let wrong = format!("{proof}70000 0 5 6 1 0");
    let open = Rejection::NotUnit {
        id: 70_000,
        hint: 1,
    };
    assert_eq!(check(&SQUARE, &wrong), Err(open));
}
