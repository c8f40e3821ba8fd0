//! The options of our passes: one table, which pass lists are read by and help is made of.

use std::borrow::Cow;
use trellis_ivl::option::{OptionSpec, Text};

const MANY: i64 = u32::MAX as i64;

const LOOPS: &[Text] = &[Cow::Borrowed("keep"), Cow::Borrowed("drop")];

const ALL: &[(&str, &[OptionSpec])] = &[
    (
        "inline",
        &[
            OptionSpec::integer("recursion", "16", 0, MANY, "calls of one procedure in each other"),
            OptionSpec::integer(
                "max_edges",
                "2000000",
                1,
                MANY,
                "edges beyond which calls are incomplete",
            ),
            OptionSpec::integer(
                "partial_edges",
                "3000",
                1,
                MANY,
                "edges beyond which recursion is expanded less deep, where the expansion cannot be complete",
            ),
        ],
    ),
    (
        "propagate",
        &[OptionSpec::integer(
            "expr_limit",
            "16",
            1,
            MANY,
            "nodes of a term that takes the place of a variable",
        )],
    ),
    (
        "slice",
        &[OptionSpec::choice(
            "loops",
            "keep",
            LOOPS,
            "loops without influence: keep those that might not end, or drop all",
        )],
    ),
    (
        "lbe",
        &[
            OptionSpec::integer("limit", "20", 1, MANY, "operations of an edge after a merge")
                .or_none(),
            OptionSpec::flag("choices", "true", "whether parallel edges merge"),
            OptionSpec::integer(
                "grow",
                "none",
                0,
                MANY,
                "edges that eliminating a location may add; with none, locations with one edge in or out go",
            )
            .or_none(),
        ],
    ),
];

/// The options of the pass with that name.
pub fn options_of(pass: &str) -> &'static [OptionSpec] {
    let found = ALL.iter().find(|(name, _)| *name == pass);
    found.map_or(&[], |(_, options)| options)
}
